//! The walk over schema and document together, and its budget.

use std::collections::{HashMap, HashSet};

use super::{
    finding::Finding,
    graph::{Graph, Id},
};
use crate::schema::pattern::Pattern;

/// Why a walk ends before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The steps are used up, or schema and document are nested too deeply inside one another.
    Budget,
    /// There are as many findings as can be reported.
    Enough,
}

pub(super) type Flow<T> = Result<T, Stop>;

/// Most answers that are remembered.
const MAX_MEMORY: usize = 200_000;
/// Most findings that are remembered with the branches that they belong to.
const MAX_REMEMBERED_FINDINGS: usize = 50_000;
/// Most subschemas that are entered inside one another. It bounds the stack: a level takes less than
/// a kilobyte of it.
const MAX_LEVELS: usize = 1_200;

pub(super) struct Walk<'a> {
    pub(super) graph: &'a Graph,
    pub(super) steps: usize,
    max_steps: usize,
    pub(super) max_findings: usize,
    /// Whether the document writes a key twice somewhere.
    pub(super) repeats_keys: bool,
    /// Whether something was left out because it was too dear.
    pub(super) skipped: bool,
    levels: usize,
    /// What is known to accept or refuse what.
    pub(super) answers: HashMap<(Id, u32), bool>,
    /// The references that are being followed, each with the value it is followed for.
    pub(super) following: HashSet<(Id, u32)>,
    /// How often a loop of references was cut; an answer that hangs on a cut is not remembered.
    pub(super) cuts: usize,
    /// What was found of a branch and a value.
    pub(super) trials: HashMap<(Id, u32), Vec<Finding<'a>>>,
    remembered: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(graph: &'a Graph, max_steps: usize, max_findings: usize) -> Self {
        Self {
            graph,
            steps: 0,
            max_steps,
            max_findings,
            repeats_keys: false,
            skipped: false,
            levels: 0,
            answers: HashMap::new(),
            following: HashSet::new(),
            cuts: 0,
            trials: HashMap::new(),
            remembered: 0,
        }
    }

    pub(super) fn spend(&mut self, steps: usize) -> Flow<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.max_steps {
            self.steps = self.max_steps;
            return Err(Stop::Budget);
        }
        Ok(())
    }

    /// Runs a pattern. One that the budget has no room for stays undecided, and the walk incomplete:
    /// what else is wrong is still found.
    pub(super) fn matches(&mut self, pattern: &Pattern, text: &str) -> Flow<Option<bool>> {
        let steps = pattern.steps(text);
        if self.steps.saturating_add(steps) > self.max_steps {
            self.skipped = true;
            return self.spend(1).map(|()| None);
        }
        self.spend(steps)?;
        let run = pattern.run(text);
        self.spend(run.steps)?;
        Ok(run.matches)
    }

    pub(super) fn enter(&mut self) -> Flow<()> {
        if self.levels >= MAX_LEVELS {
            return Err(Stop::Budget);
        }
        self.levels += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.levels -= 1;
    }

    pub(super) fn remember(&mut self, key: (Id, u32), answer: bool) {
        if self.answers.len() < MAX_MEMORY {
            self.answers.insert(key, answer);
        }
    }

    pub(super) fn remember_trial(&mut self, key: (Id, u32), findings: &[Finding<'a>]) {
        if self.remembered + findings.len() < MAX_REMEMBERED_FINDINGS && self.trials.len() < MAX_MEMORY {
            self.remembered += findings.len();
            self.trials.insert(key, findings.to_vec());
        }
    }
}

impl Walk<'_> {
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// A trial that ends early leaves its levels behind.
    pub(super) fn back_to(&mut self, levels: usize) {
        self.levels = levels;
    }
}
