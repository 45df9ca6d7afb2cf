// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A chain of collectives beside computation, and how long it takes when some of them are sent as one.
//!
//! Computation is one sequence of `compute_ns` nanoseconds of work. An item is ready once `ready_ns` of that work are
//! done, and the work from `need_ns` on waits for it. Buckets are runs of neighbouring items. They take turns on one
//! link in the order of the chain; each begins when the link is free and all its items are ready, and all its items are
//! there when it ends. Gathers of parameters are ready at 0 and needed in turn; reductions of gradients are ready in turn
//! and needed at the end, which is the same chain read backwards in time.
//!
//! Items are in the order of `need_ns`. The cost of a bucket may be any function of which items are in it.

/// One collective.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Item {
    /// Work that is done before it can begin.
    pub ready_ns: u64,
    /// Work that can be done without its result; at least `ready_ns`.
    pub need_ns: u64,
    /// Bytes of its result, for limits.
    pub bytes: u64,
    /// The first item of the chain that it may share a bucket with, as far as dependences are concerned.
    pub earliest: usize,
}

/// What keeps items apart that could be merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Most bytes of a bucket of more than one item; none is no limit.
    pub bucket_bytes: Option<u64>,
    /// Most bytes of a bucket of more than one item together with either neighbour: one is used while the other is on its
    /// way, so that is the least that any overlap keeps alive. None is no limit.
    pub live_bytes: Option<u64>,
    /// Most bytes live at once in the block with its buckets, arguments apart; where the block needs more without any, that
    /// much. Kept where the step time decides. None is no limit.
    pub peak_bytes: Option<u64>,
}

/// A chain. `cost` says how long the items from `begin` up to `end` (exclusive) take as one bucket.
pub struct Chain<'a> {
    items: Vec<Item>,
    compute_ns: u64,
    limits: Limits,
    cost: Box<dyn Fn(usize, usize) -> u64 + 'a>,
}

impl<'a> Chain<'a> {
    /// The chain of these items, which are put into the order of `need_ns` by the caller.
    ///
    /// # Panics
    /// When they are not in that order, or one is needed before it is ready.
    pub fn new(
        items: Vec<Item>,
        compute_ns: u64,
        limits: Limits,
        cost: impl Fn(usize, usize) -> u64 + 'a,
    ) -> Self {
        assert!(
            items.is_sorted_by_key(|item| item.need_ns),
            "items are in the order in which they are needed"
        );
        assert!(
            items.iter().all(|item| item.ready_ns <= item.need_ns),
            "no item is needed before it is ready"
        );
        Chain {
            items,
            compute_ns,
            limits,
            cost: Box::new(cost),
        }
    }

    /// The items in the order of the chain.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// All the work beside the chain.
    pub fn compute_ns(&self) -> u64 {
        self.compute_ns
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// How long the items from `begin` up to `end` take as one bucket.
    pub fn cost(&self, begin: usize, end: usize) -> u64 {
        (self.cost)(begin, end)
    }

    /// Where each bucket that ends before `end` and may be one begins, last item first, with the work that has to be done
    /// before it and its bytes. Every run within a run that may be a bucket may be one too.
    pub(super) fn buckets_before(&self, end: usize) -> impl Iterator<Item = (usize, u64, u64)> {
        let (mut ready, mut bytes, mut earliest) = (0, 0_u64, 0);
        (0..end).rev().map_while(move |begin| {
            let item = self.items[begin];
            ready = item.ready_ns.max(ready);
            bytes = bytes.saturating_add(item.bytes);
            earliest = item.earliest.max(earliest);
            let is_alone = begin + 1 == end;
            let fits =
                self.limits.bucket_bytes.is_none_or(|limit| bytes <= limit) && !self.exceeds_live(bytes, 0);
            // A bucket that must wait for what itself holds up would never begin.
            let is_free = earliest <= begin && ready <= item.need_ns;
            (is_alone || fits && is_free).then_some((begin, ready, bytes))
        })
    }

    /// Whether buckets that end at these positions (ascending, the last at the end of the chain) keep dependences and limits.
    /// O(n).
    pub fn is_allowed(&self, ends: &[usize]) -> bool {
        let mut begin = 0;
        let mut last: Option<(u64, bool)> = None;
        for &end in ends {
            let reached = self
                .buckets_before(end)
                .take_while(|bucket| bucket.0 >= begin)
                .last();
            let Some((reached, _, bytes)) = reached else {
                return false;
            };
            if reached != begin {
                return false;
            }
            let is_merged = end - begin > 1;
            if let Some((last_bytes, last_is_merged)) = last
                && (is_merged || last_is_merged)
                && self.exceeds_live(last_bytes, bytes)
            {
                return false;
            }
            last = Some((bytes, is_merged));
            begin = end;
        }
        begin == self.items.len()
    }

    /// Whether the two items before `end` may be one bucket, whatever their neighbours are.
    pub(super) fn is_pair_allowed(&self, end: usize) -> bool {
        self.buckets_before(end).nth(1).is_some()
    }

    /// Bytes of the items from `begin` up to `end` together.
    pub fn bytes(&self, begin: usize, end: usize) -> u64 {
        let bytes = self.items[begin..end].iter().map(|item| item.bytes);
        bytes.fold(0, u64::saturating_add)
    }

    pub(super) fn exceeds_live(&self, one: u64, other: u64) -> bool {
        self.limits
            .live_bytes
            .is_some_and(|limit| one.saturating_add(other) > limit)
    }

    /// How long computation and the chain take together, with buckets that end at these positions. O(n + cost of the
    /// buckets).
    pub fn time_ns(&self, ends: &[usize]) -> u64 {
        let (mut link, mut begin) = (0_u64, 0);
        // The work at which computation has waited, and for how long it has waited in all by then.
        let mut waited: Vec<(u64, u64)> = vec![];
        for &end in ends {
            let items = &self.items[begin..end];
            let ready = items.iter().map(|item| item.ready_ns).max().unwrap_or(0);
            let before = waited.partition_point(|(at, _)| *at < ready);
            let delay = before.checked_sub(1).map_or(0, |last| waited[last].1);
            link = link
                .max(ready.saturating_add(delay))
                .saturating_add(self.cost(begin, end));
            let need = self.items[begin].need_ns;
            let delay = waited.last().map_or(0, |last| last.1);
            waited.push((need, delay.max(link.saturating_sub(need))));
            begin = end;
        }
        let delay = waited.last().map_or(0, |last| last.1);
        link.max(self.compute_ns.saturating_add(delay))
    }

    /// Each item in a bucket of its own.
    pub fn apart(&self) -> Vec<usize> {
        (1..=self.items.len()).collect()
    }
}
