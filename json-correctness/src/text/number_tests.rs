use super::*;

fn number(spelling: &str) -> Number<'_> {
    Number::parse(spelling).unwrap_or_else(|| panic!("{spelling} is a number"))
}

#[test]
fn spellings_are_compared_exactly() {
    let huge = format!("1e{}", "9".repeat(60));
    let huge_tenfold = format!("10e{}8", "9".repeat(59));
    let tiny = format!("1e-{}", "9".repeat(60));
    let long = format!("0.{}1", "0".repeat(500));
    let groups: &[&[&str]] = &[
        &["-1e1000000000000"],
        &["-9007199254740993", "-9007199254740993.0"],
        &["-9007199254740992.5"],
        &["-1", "-1.0", "-10e-1", "-0.1e1", "-1E+0"],
        &["-1e-999999999"],
        &["0", "-0", "0.0", "0e999999999999999999999", "-0e-5"],
        &[&tiny],
        &["1e-1000000000000000000000001"],
        &["1e-1000000000000000000000000", "10e-1000000000000000000000001", "0.1e-999999999999999999999999"],
        &[&long, "1e-501"],
        &["0.1", "1e-1", "0.10", "0.01e1"],
        &["0.3"],
        &["1", "1.0", "100e-2", "1e0", "1e-0", "1e00000000000000000000000000"],
        &["1.00000000000000000000000001"],
        &["2"],
        &["9.99"],
        &["10"],
        &["18446744073709551615"],
        &["18446744073709551616", "18446744073709551616.0", "1.8446744073709551616e19"],
        &["1e999999999", "10e999999998", "0.1e1000000000"],
        &["1.1e999999999"],
        &[&huge, &huge_tenfold],
        &["1e10000000000000000000000000000000000000000000000000000000000000"],
    ];
    for (a, left) in groups.iter().enumerate() {
        for (b, right) in groups.iter().enumerate() {
            for (x, y) in left.iter().flat_map(|x| right.iter().map(move |y| (x, y))) {
                assert_eq!(number(x).compare(number(y)), a.cmp(&b), "{x} {y}");
            }
        }
    }
}

#[test]
fn questions_are_answered_exactly() {
    // spelling, written as integer, is integer, as_u64, as_i64
    type Row = (&'static str, bool, bool, Option<u64>, Option<i64>);
    let rows: &[Row] = &[
        ("0", true, true, Some(0), Some(0)),
        ("-0", false, true, None, None),
        ("-7", true, true, None, Some(-7)),
        ("18446744073709551615", true, true, Some(u64::MAX), None),
        ("18446744073709551616", true, true, None, None),
        ("-9223372036854775808", true, true, None, Some(i64::MIN)),
        ("-9223372036854775809", true, true, None, None),
        ("1.0", false, true, None, None),
        ("1e2", false, true, None, None),
        ("1.5e1", false, true, None, None),
        ("1.25e1", false, false, None, None),
        ("1.50", false, false, None, None),
        ("100e-2", false, true, None, None),
        ("100e-3", false, false, None, None),
        ("10.00e-1", false, true, None, None),
        ("1e-999999999999999999999999", false, false, None, None),
        ("1e999999999999999999999999", false, true, None, None),
        ("0e-5", false, true, None, None),
        ("0.0", false, true, None, None),
    ];
    for &(spelling, written, integer, unsigned, signed) in rows {
        let n = number(spelling);
        let found = (n.is_written_as_integer(), n.is_integer(), n.as_u64(), n.as_i64());
        assert_eq!(found, (written, integer, unsigned, signed), "{spelling}");
    }
    assert_eq!(number("0.1").as_f64(), 0.1);
    assert_eq!(number("1e999").as_f64(), f64::INFINITY);
    for none in ["", "-", "01", "1.", ".5", "1e", "+1", "1 ", "0x1", "NaN", "1e+"] {
        assert!(Number::parse(none).is_none(), "{none}");
    }
}
