//! Any executor will do, and none; and what is dropped ends.

use std::{future::Future, pin::pin};

use futures_util::future::{Either, select};
use json_correctness::{ReasonHook, Verdict};

use crate::{
    case, check, hook, openai,
    server::{Script, Server, Wire, good},
};

fn good_server() -> (Server, ReasonHook) {
    let server = Server::start(Script::Http(vec![good("So.")]));
    let hook = hook(openai(&server).build().expect("a set-up"));
    (server, hook)
}

/// Judges twice, and drops everything in the executor.
async fn judged(hook: ReasonHook) -> Verdict {
    let check = check().reason_hook(hook);
    let first = check.judge_async(&case()).await.expect("a set-up");
    assert_eq!(first.reason(), Some("So."), "{first:?}");
    check.judge_async(&case()).await.expect("a set-up")
}

fn tokio(kind: fn() -> tokio::runtime::Builder) -> tokio::runtime::Runtime {
    kind().build().expect("a runtime")
}

#[test]
fn every_executor_will_do() {
    fn one<F: Future<Output = Verdict>>(
        run: impl FnOnce(F) -> Verdict,
        judged: impl FnOnce(ReasonHook) -> F,
    ) {
        let (server, hook) = good_server();
        assert_eq!(run(judged(hook)).reason(), Some("So."));
        assert_eq!(server.requests(), 2);
    }
    // Without timers and sockets: what the reasoner needs of these is its own.
    one(|future| tokio(tokio::runtime::Builder::new_current_thread).block_on(future), judged);
    one(|future| tokio(tokio::runtime::Builder::new_multi_thread).block_on(future), judged);
    one(futures_executor::block_on, judged);
    one(smol::block_on, judged);
    // Those that wait for it, and those that wait for it within an executor.
    let waits = |hook: ReasonHook| {
        let check = check().reason_hook(hook);
        check.judge(&case()).expect("a set-up");
        check.judge(&case()).expect("a set-up")
    };
    one(futures_executor::block_on, |hook| std::future::ready(waits(hook)));
    one(
        |future| tokio(tokio::runtime::Builder::new_current_thread).block_on(future),
        |hook| async move { waits(hook) },
    );
}

#[test]
fn a_reasoner_lives_and_ends_in_any_place() {
    let runtime = tokio(tokio::runtime::Builder::new_current_thread);
    // Made within an executor, used outside, dropped within another.
    let (server, hook) =
        runtime.block_on(async { std::thread::spawn(good_server).join().expect("no panic") });
    let check = check().reason_hook(hook);
    assert_eq!(check.judge(&case()).expect("a set-up").reason(), Some("So."));
    runtime.block_on(async move { drop(check) });
    drop(runtime);
    assert_eq!(server.requests(), 1);
}

#[test]
fn what_is_dropped_closes_its_connection() {
    let server = Server::start(Script::Wire(Wire::Silence));
    let check = check().reason_hook(hook(openai(&server).build().expect("a set-up")));
    let case = case();
    for count in 1..=3 {
        futures_executor::block_on(async {
            match select(pin!(check.judge_async(&case)), pin!(server.came(count))).await {
                Either::Left((verdict, _)) => panic!("the server answers nothing: {verdict:?}"),
                // Here the judgement is dropped.
                Either::Right(_) => {}
            }
        });
        assert!(server.wait_closed(count), "the connection is kept");
    }
    // A future that was never polled asks nothing.
    drop(check.judge_async(&case));
    assert_eq!(server.requests(), 3);
}

#[test]
fn many_wait_at_a_time() {
    let (server, hook) = good_server();
    let check = check().reason_hook(hook);
    let case = case();
    let all = futures_util::future::join_all((0..50).map(|_| check.judge_async(&case)));
    for verdict in futures_executor::block_on(all) {
        assert_eq!(verdict.expect("a set-up").reason(), Some("So."));
    }
    assert_eq!(server.requests(), 50);
}
