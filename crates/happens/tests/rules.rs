// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! One wrong trace a rule, and what is said of it.

use comm_happens::{Access, AccessKind, Action, Buffer, Fault, Group, Pad, Region, Stream, Trace, check};

/// Two ranks with two streams each.
struct Pair {
    trace: Trace,
    current: [Stream; 2],
    other: [Stream; 2],
    group: Group,
    buffer: Buffer,
    pad: Pad,
}

fn pair() -> Pair {
    let mut trace = Trace::new(2);
    let current = [0, 1].map(|rank| trace.stream(rank, "current"));
    let other = [0, 1].map(|rank| trace.stream(rank, "other"));
    let group = trace.group(&[0, 1]);
    let buffer = trace.buffer("'%w' of rank 0");
    let pad = trace.pad();
    Pair {
        trace,
        current,
        other,
        group,
        buffer,
        pad,
    }
}

impl Pair {
    fn access(&mut self, stream: Stream, kind: AccessKind) {
        let (buffer, region) = (self.buffer, Region::contiguous(4, 8));
        self.trace
            .push(stream, Action::Work, vec![Access { buffer, region, kind }]);
    }

    fn put(&mut self, stream: Stream, epoch: i64) {
        let (pad, channel, to) = (self.pad, 0, 1);
        self.trace.push(
            stream,
            Action::Put {
                pad,
                channel,
                to,
                epoch,
            },
            vec![],
        );
    }

    fn wait(&mut self, stream: Stream, epoch: i64) {
        let (pad, channel, from) = (self.pad, 0, 0);
        let wait = Action::WaitSignal {
            pad,
            channel,
            from,
            epoch,
        };
        self.trace.push(stream, wait, vec![]);
    }

    fn meet(&mut self, stream: Stream, channel: i64) {
        let group = self.group;
        self.trace
            .push(stream, Action::Barrier { group, channel }, vec![]);
    }

    fn collective(&mut self, stream: Stream, form: u32) {
        let group = self.group;
        self.trace
            .push(stream, Action::Collective { group, form }, vec![]);
    }

    /// Texts of all faults.
    fn says(&self) -> Vec<String> {
        let faults: Vec<Fault> = check(&self.trace).err().unwrap_or_default();
        faults.iter().map(Fault::to_string).collect()
    }
}

#[test]
fn a_race_on_one_rank_is_to_be_ordered_by_an_event() {
    let mut program = pair();
    program.access(program.current[0], AccessKind::Write);
    program.access(program.other[0], AccessKind::Read);
    assert_eq!(
        program.says(),
        [
            "race on bytes 4 to 11 of '%w' of rank 0: rank 0 on stream 'current' writes and rank 0 on stream 'other' reads \
             with no order between them; an event that one of the streams 'current' and 'other' records and the other waits \
             for would"
        ]
    );
}

#[test]
fn collectives_order_no_memory_and_barriers_do() {
    let mut program = pair();
    program.access(program.current[0], AccessKind::Write);
    program.collective(program.current[0], 0);
    program.collective(program.current[1], 0);
    program.access(program.current[1], AccessKind::Read);
    let says = program.says();
    assert_eq!(says.len(), 1);
    assert!(says[0].ends_with(
        "a barrier of ranks 0 and 1, or a signal between them that is put after the one and awaited before the other, would"
    ));

    let mut program = pair();
    program.access(program.current[0], AccessKind::Write);
    program.meet(program.current[0], 0);
    program.meet(program.current[1], 0);
    program.access(program.current[1], AccessKind::Read);
    assert!(program.says().is_empty());
}

#[test]
fn blocked_issue_and_drained_streams_order_no_memory() {
    let mut program = pair();
    program.access(program.other[0], AccessKind::Write);
    program
        .trace
        .push(program.current[0], Action::Drain, vec![])
        .blocks_issue = true;
    program.access(program.current[0], AccessKind::Write);
    assert_eq!(program.says().len(), 1);
}

#[test]
fn freed_memory_is_gone_for_uses_too() {
    let mut program = pair();
    let free = Access::free(program.buffer);
    program.trace.push(program.current[0], Action::Work, vec![free]);
    program.access(program.current[0], AccessKind::Use);
    assert_eq!(
        program.says(),
        ["rank 0 on stream 'current' uses '%w' of rank 0, which rank 0 on stream 'current' has freed before"]
    );
}

#[test]
fn steps_of_one_tag_are_reported_once() {
    for (tags, reported) in [([0, 0], 3), ([1, 2], 1)] {
        let mut program = pair();
        for (stream, tag) in [program.current[0], program.other[0]].into_iter().zip(tags) {
            for _ in 0..3 {
                let write = Access::write(program.buffer, Region::contiguous(0, 1));
                program.trace.push(stream, Action::Work, vec![write]).tag = tag;
            }
        }
        // Each stream keeps its last write only, so the other one is compared with that.
        assert_eq!(program.says().len(), reported);
    }
}

#[test]
fn signals_are_put_and_awaited_once_an_epoch() {
    let mut program = pair();
    program.put(program.current[0], 1);
    assert_eq!(
        program.says(),
        [
            "rank 0 on stream 'current' puts epoch 1 of channel 0, which rank 1 never awaits: expected a wait for this epoch"
        ]
    );

    let mut program = pair();
    program.wait(program.current[1], 1);
    assert_eq!(
        program.says(),
        [
            "rank 1 on stream 'current' awaits epoch 1 of channel 0, which rank 0 never puts: it waits for ever"
        ]
    );

    let mut program = pair();
    program.put(program.current[0], 2);
    program.wait(program.current[1], 1);
    program.wait(program.current[1], 2);
    assert_eq!(
        program.says(),
        [
            "rank 1 on stream 'current' awaits epoch 1 of channel 0, which rank 0 never puts: only its epoch 2 would end the \
             wait"
        ]
    );

    let mut program = pair();
    program.put(program.current[0], 1);
    program.put(program.other[0], 1);
    program.wait(program.current[1], 1);
    program.wait(program.other[1], 1);
    assert_eq!(
        program.says(),
        [
            "rank 0 on stream 'other' puts epoch 1 of channel 0, which rank 0 on stream 'current' has put: the epochs of a \
             counter must rise",
            "rank 1 on stream 'other' awaits epoch 1 of channel 0, which rank 1 on stream 'current' awaits: each epoch is \
             awaited once",
        ]
    );

    let mut program = pair();
    program.put(program.current[0], 0);
    program.wait(program.current[1], 0);
    let says = program.says();
    assert!(says[0].starts_with("rank 0 on stream 'current' has epoch 0 of channel 0: counters begin at 0"));
    assert_eq!(says.len(), 2);
}

#[test]
fn puts_of_a_counter_are_ordered_and_rise() {
    for (second, put_first, what) in [
        (true, 1, "is not ordered with it"),
        (false, 2, "is ordered before and is not smaller"),
    ] {
        let mut program = pair();
        program.put(program.current[0], put_first);
        let stream = if second {
            program.other[0]
        } else {
            program.current[0]
        };
        program.put(stream, 3 - put_first);
        program.wait(program.current[1], 1);
        program.wait(program.current[1], 2);
        let says = program.says();
        assert!(says.iter().any(|fault| fault.contains(what)), "{says:?}");
    }
}

#[test]
fn members_that_do_not_come_are_named() {
    let mut program = pair();
    program.meet(program.current[0], 3);
    program.meet(program.current[1], 3);
    program.meet(program.current[1], 3);
    assert_eq!(
        program.says(),
        [
            "rank 1 on stream 'current' waits for ever: this is barrier of [0, 1] on channel 3 number 2 that rank 1 issues, \
             and rank 0 issues 1"
        ]
    );

    let mut program = pair();
    program.collective(program.current[0], 5);
    program.collective(program.current[1], 6);
    assert_eq!(
        program.says(),
        [
            "collective number 1 of [0, 1] differs between its members: rank 0 on stream 'current' issues one, rank 1 on \
             stream 'current' another"
        ]
    );

    let mut program = pair();
    let group = program.trace.group(&[1]);
    program
        .trace
        .push(program.current[0], Action::Barrier { group, channel: 0 }, vec![]);
    assert_eq!(
        program.says()[0],
        "rank 0 on stream 'current' issues barrier of [1] on channel 0, of which it is no member"
    );
}

#[test]
fn events_are_recorded_once_and_on_the_rank_that_waits() {
    let mut program = pair();
    let event = program.trace.event();
    program
        .trace
        .push(program.current[0], Action::Record(event), vec![]);
    program
        .trace
        .push(program.current[1], Action::WaitEvent(event), vec![]);
    assert_eq!(
        program.says(),
        ["rank 1 on stream 'current' waits for an event that its rank never records"]
    );
    program
        .trace
        .push(program.other[0], Action::Record(event), vec![]);
    assert_eq!(
        program.says()[0],
        "rank 0 on stream 'other' records an event that rank 0 on stream 'current' has recorded"
    );
}

#[test]
fn a_cycle_of_waits_is_told_from_end_to_end() {
    // Two barriers in opposite order.
    let mut program = pair();
    for (rank, channels) in [(0, [0, 1]), (1, [1, 0])] {
        for channel in channels {
            program.meet(program.current[rank], channel);
        }
    }
    assert_eq!(
        program.says(),
        [
            "deadlock: rank 0 on stream 'current' waits at the barrier of channel 0 for rank 1 on stream 'current'; \
             rank 1 on stream 'current' waits at the barrier of channel 1 for rank 0 on stream 'current'"
        ]
    );

    // A signal that is put on another stream, but issued only after what it ends.
    let mut program = pair();
    program.wait(program.current[1], 1);
    program.meet(program.other[1], 0);
    program.meet(program.current[0], 0);
    program.put(program.current[0], 1);
    assert!(program.says().is_empty());
    let position = 0;
    let wait = comm_happens::StepId { rank: 1, position };
    assert!(matches!(
        program.trace.step(wait).action,
        Action::WaitSignal { .. }
    ));
    let mut blocked = pair();
    let (pad, channel, from, epoch) = (blocked.pad, 0, 0, 1);
    let wait = Action::WaitSignal {
        pad,
        channel,
        from,
        epoch,
    };
    blocked.trace.push(blocked.current[1], wait, vec![]).blocks_issue = true;
    blocked.meet(blocked.other[1], 0);
    blocked.meet(blocked.current[0], 0);
    blocked.put(blocked.current[0], 1);
    assert_eq!(
        blocked.says(),
        [
            "deadlock: rank 0 on stream 'current' waits at the barrier of channel 0 for rank 1 on stream 'other'; rank 1 on \
             stream 'other' waits to be issued, after what rank 1 on stream 'current' waits for; rank 1 on stream 'current' \
             waits for epoch 1 of channel 0 that rank 0 on stream 'current' is to put"
        ]
    );

    // A rank that drains its streams before it comes to the barrier that one of them waits at.
    let mut program = pair();
    program.meet(program.other[0], 0);
    program.trace.push(program.current[0], Action::Drain, vec![]);
    program.meet(program.current[0], 1);
    program.meet(program.current[1], 1);
    program.meet(program.other[1], 0);
    assert!(program.says().is_empty());
    let mut program = pair();
    for (rank, first, second) in [(0, 0, 1), (1, 1, 0)] {
        program.meet(program.other[rank], first);
        program.trace.push(program.current[rank], Action::Drain, vec![]);
        program.meet(program.current[rank], second);
    }
    let says = program.says();
    assert!(
        says[0].contains("waits for all issued before, and rank"),
        "{says:?}"
    );
}
