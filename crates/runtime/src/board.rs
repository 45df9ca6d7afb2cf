// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What each rank is doing, for messages about ranks that do not come.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use crate::error::Site;

#[derive(Debug, Default)]
struct Doing {
    running: BTreeMap<u64, Site>,
    last: Option<Site>,
}

/// The number of no stream: the program itself.
const PROGRAM: u64 = 0;

/// Ops that have begun, by rank and stream.
#[derive(Debug)]
pub(crate) struct Board(Vec<Mutex<Doing>>);

impl Board {
    pub(crate) fn new(ranks: usize) -> Self {
        Self((0..ranks).map(|_| Mutex::default()).collect())
    }

    fn of<R>(&self, rank: usize, change: impl FnOnce(&mut Doing) -> R) -> R {
        change(&mut self.0[rank].lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn enter(&self, rank: usize, stream: u64, site: &Site) {
        self.of(rank, |doing| doing.running.insert(stream, site.clone()));
    }

    pub(crate) fn leave(&self, rank: usize, stream: u64) {
        self.of(rank, |doing| {
            if let Some(site) = doing.running.remove(&stream) {
                doing.last = Some(site);
            }
        });
    }

    /// What a rank is doing, in words.
    pub(crate) fn describe(&self, rank: usize) -> String {
        let words = |site: &Site| match site.location.is_empty() {
            true => site.op.to_string(),
            false => format!("{} at {}", site.op, site.location),
        };
        self.of(rank, |doing| {
            // A program that waits for its own streams is where they are.
            let is_alone = doing.running.len() == 1;
            let running = doing
                .running
                .iter()
                .filter(|(stream, _)| **stream != PROGRAM || is_alone);
            let running: Vec<String> = running.map(|(_, site)| words(site)).collect();
            match (&doing.last, running.is_empty()) {
                (_, false) => format!("in {}", running.join(" and ")),
                (Some(last), true) => format!("between ops; its last was {}", words(last)),
                (None, true) => "has issued nothing yet".to_owned(),
            }
        })
    }
}
