//! The desk of a run: results wait there for the reasons that hooks word, in their order.

use std::{
    collections::VecDeque,
    future::Future,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::Duration,
};

use futures_channel::{
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
    oneshot,
};
use futures_util::{
    StreamExt,
    future::{join_all, select},
};
use tracing::{Instrument, Span};

use super::{Checks, Record, Stop, judged::Judged, stop::interrupted};
use crate::{
    error::Error,
    reason::{ReasonHook, ReasonRequest, Wait, Worded},
};

/// How many chunks wait at a time, at most: so many cases at a time are with the hooks.
const MAX_WAITING: usize = 16;
/// How often a run that waits looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Takes results in, has their reasons worded, and hands them out in their order.
pub(super) struct Desk {
    /// For each check, in their order, where its questions go, if it has a hook.
    lanes: Vec<Option<UnboundedSender<Question>>>,
    answers: Receiver<(Place, Worded)>,
    waiting: VecDeque<Chunk>,
    /// How many chunks were handed out.
    handed_out: usize,
    /// Falls when the desk does, and with it whatever is still being worded.
    _open: oneshot::Sender<()>,
}

struct Chunk {
    records: Vec<Record>,
    /// How many reasons are to come.
    missing: usize,
}

/// Where a reason belongs: the number of the chunk, and that of the result in it.
type Place = (usize, usize);

struct Question {
    place: Place,
    request: ReasonRequest,
    span: Span,
}

impl Desk {
    /// The desk for these checks, and what words the reasons: a future that ends when the desk is gone.
    /// `None` where no check has a hook.
    pub(super) fn new(
        checks: &Checks,
        wait: Wait,
    ) -> (Self, Option<impl Future<Output = ()> + Send + use<>>) {
        let (answer, answers) = channel();
        let (open, closed) = oneshot::channel::<()>();
        let mut hooks: Vec<(ReasonHook, UnboundedSender<Question>)> = Vec::new();
        let mut clerks = Vec::new();
        let lanes = checks.as_slice().iter().map(|named| {
            let hook = named.check.hook()?;
            // Checks that share a hook share its limits.
            if let Some((_, lane)) = hooks.iter().find(|(known, _)| known.is(hook)) {
                return Some(lane.clone());
            }
            let (lane, questions) = unbounded();
            hooks.push((hook.clone(), lane.clone()));
            clerks.push(serve(hook.clone(), questions, answer.clone(), wait));
            Some(lane)
        });
        let lanes = lanes.collect();
        let any = !clerks.is_empty();
        let served = async move {
            select(join_all(clerks), closed).await;
        };
        let served = any.then_some(served);
        (Self { lanes, answers, waiting: VecDeque::new(), handed_out: 0, _open: open }, served)
    }

    /// Whether any reason is worded by a hook.
    pub(super) fn has_hooks(&self) -> bool {
        self.lanes.iter().any(Option::is_some)
    }

    /// Takes the results of a chunk in: those of each row in the order of the checks.
    ///
    /// # Errors
    ///
    /// Nobody words reasons any more: the run was dropped.
    pub(super) fn take_in(&mut self, chunk: Vec<Judged>) -> Result<(), Error> {
        let number = self.handed_out + self.waiting.len();
        let mut missing = 0;
        let mut records = Vec::with_capacity(chunk.len());
        for (index, judged) in chunk.into_iter().enumerate() {
            let Judged { record, request, span, .. } = judged;
            records.push(record);
            let lane = &self.lanes[index % self.lanes.len()];
            if let (Some(request), Some(lane)) = (request, lane) {
                let asked = lane.unbounded_send(Question { place: (number, index), request, span });
                asked.map_err(|_| interrupted())?;
                missing += 1;
            }
        }
        self.waiting.push_back(Chunk { records, missing });
        Ok(())
    }

    /// Hands the next chunk out if it is complete, `None` if not or if there is none. Waits for it where too
    /// many wait, or where `all` are to be handed out.
    ///
    /// # Errors
    ///
    /// The run is to stop, or nobody words reasons any more.
    pub(super) fn hand_out(&mut self, all: bool, stop: &Stop) -> Result<Option<Vec<Record>>, Error> {
        loop {
            while let Ok(answer) = self.answers.try_recv() {
                self.settle(answer);
            }
            let Some(first) = self.waiting.front() else { return Ok(None) };
            if first.missing == 0 {
                self.handed_out += 1;
                return Ok(self.waiting.pop_front().map(|chunk| chunk.records));
            }
            if !all && self.waiting.len() < MAX_WAITING {
                return Ok(None);
            }
            if stop.is_set() {
                return Err(interrupted());
            }
            match self.answers.recv_timeout(LOOK) {
                Ok(answer) => self.settle(answer),
                Err(RecvTimeoutError::Timeout) => {}
                // The results must not be written with reasons that a whole run would not give.
                Err(RecvTimeoutError::Disconnected) => return Err(interrupted()),
            }
        }
    }

    fn settle(&mut self, ((number, index), worded): (Place, Worded)) {
        if let Some(chunk) = self.waiting.get_mut(number - self.handed_out) {
            chunk.records[index].set_worded(worded);
            chunk.missing -= 1;
        }
    }
}

/// Has one hook word reasons, as many at a time as it allows.
async fn serve(
    hook: ReasonHook,
    questions: UnboundedReceiver<Question>,
    answers: Sender<(Place, Worded)>,
    wait: Wait,
) {
    let word = |Question { place, request, span }| {
        let (hook, answers) = (&hook, &answers);
        async move {
            let worded = hook.word(request, wait).instrument(span).await;
            // The run may have ended.
            let _ = answers.send((place, worded));
        }
    };
    questions.for_each_concurrent(hook.calls_at_a_time(), word).await;
}
