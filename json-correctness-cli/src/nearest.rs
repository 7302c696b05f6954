//! Names that were probably meant.

/// The known name that is most like the given one, if one is like it at all.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance * 3 <= known.len().max(name.len()))
        .min()
        .map(|(_, known)| known)
}

/// How to mend a name that is not known.
pub(crate) fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let all: Vec<String> = known.clone().into_iter().map(|known| format!("`{known}`")).collect();
    let hint = nearest(name, known).map(|known| format!("did you mean `{known}`? ")).unwrap_or_default();
    format!("{hint}known are {}", all.join(", "))
}
