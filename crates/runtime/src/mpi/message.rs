// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What processes tell each other, and how it is written: a header in JSON, and behind it the bytes of tensors.
//!
//! A frame is the length of the header (4 bytes, little-endian), the header, zeros up to a multiple of [`ALIGNMENT`]
//! bytes, and the bytes. Processes of one job run one program, so there are no versions.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    collective::{Call, Kind},
    element::Element,
    error::{Error, Site},
    group::Members,
    tensor::Tensor,
    trace::RankTrace,
    transport::Channel,
};

const ALIGNMENT: usize = 64;

/// A meeting: the set of ranks in ascending order, and the number of the call among those in the set.
pub(super) type Key = (Vec<usize>, u64);

/// Where a rank's part of new symmetric memory can be found, and the number that the rank proposes for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Offer {
    pub(super) path: String,
    pub(super) number: u64,
}

/// What a member issued, as far as others need to know.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Post {
    site: Site,
    ranks: Vec<usize>,
    number: u64,
    kind: Kind,
    inputs: Vec<(Element, Vec<usize>)>,
    timeout: Duration,
    pub(super) offer: Option<Offer>,
}

impl Post {
    pub(super) fn new(call: &Call, offer: Option<Offer>) -> Self {
        let shape = |tensor: &Tensor| (tensor.element, tensor.sizes.clone());
        Self {
            site: call.site.clone(),
            ranks: call.members.ranks().to_vec(),
            number: call.number,
            kind: call.kind.clone(),
            inputs: call.inputs.iter().map(shape).collect(),
            timeout: call.timeout,
            offer,
        }
    }

    /// The call, with tensors at no address; nothing if its group is none.
    pub(super) fn call(&self, ranks: usize) -> Option<Call> {
        let tensor = |(element, sizes): &(Element, Vec<usize>)| {
            Tensor::contiguous(std::ptr::null_mut(), *element, sizes)
        };
        Some(Call {
            site: self.site.clone(),
            members: Arc::new(Members::new(&self.ranks, ranks, self.site.rank).ok()?),
            number: self.number,
            kind: self.kind.clone(),
            inputs: self.inputs.iter().map(tensor).collect(),
            outputs: Vec::new(),
            timeout: self.timeout,
        })
    }
}

/// A failure and when it was reported, in nanoseconds of the realtime clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) at: u64,
    pub(super) error: Error,
}

/// How a rank has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct End {
    /// Its own result.
    pub(super) error: Option<Error>,
    /// The first failure that it knows of.
    pub(super) failure: Option<Failure>,
    /// For rank 0.
    pub(super) trace: Option<RankTrace>,
}

/// Who takes part in a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Join {
    /// The machine, and what must be the same to share memory.
    pub(super) node: String,
    /// Nanoseconds of the monotonic clock, at the beginning of the run.
    pub(super) clock: u64,
    /// Where the state of emulated links is; of rank 0.
    pub(super) links: Option<String>,
}

/// What a message says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Message {
    /// A rank begins the run.
    Join(Join),
    /// A member has come to a meeting.
    Post(Post),
    /// Bytes of what a member sends in a step of a meeting, of so many in all, in order.
    Part { key: Key, step: usize, total: usize },
    /// A member has made its results.
    Passed { key: Key },
    /// The counter of a channel has reached an epoch.
    Signal { channel: Channel, epoch: u64 },
    /// Something has failed.
    Failed(Failure),
    /// What are you doing?
    Inquiry { number: u64 },
    /// In words.
    Answer { number: u64, doing: String },
    /// The rank has done all that its program ever will.
    Departed,
    /// The last message of a rank in a run.
    Ended(Box<End>),
}

#[derive(Serialize)]
struct Header<'a> {
    run: u64,
    message: &'a Message,
}

#[derive(Deserialize)]
struct Received {
    run: u64,
    message: Message,
}

/// A frame with room for `payload` zero bytes at its end, and where they begin.
pub(super) fn frame(run: u64, message: &Message, payload: usize) -> Result<(Vec<u8>, usize), String> {
    let header = serde_json::to_vec(&Header { run, message }).map_err(|error| error.to_string())?;
    let start = (4 + header.len()).next_multiple_of(ALIGNMENT);
    let length = u32::try_from(header.len()).map_err(|error| error.to_string())?;
    let mut bytes = Vec::with_capacity(start + payload);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.resize(start + payload, 0);
    Ok((bytes, start))
}

/// The run of a frame, what it says, and where its payload begins.
pub(super) fn parse(bytes: &[u8]) -> Result<(u64, Message, usize), String> {
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or("a frame without a length")?;
    let length = u32::from_le_bytes(*length) as usize;
    let header = rest.get(..length).ok_or("a frame shorter than its header")?;
    let received: Received = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    let start = (4 + length).next_multiple_of(ALIGNMENT).min(bytes.len());
    Ok((received.run, received.message, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let key = (vec![1, 3], 7);
        let message = Message::Part {
            key,
            step: 1,
            total: 9,
        };
        let (mut bytes, start) = frame(5, &message, 3).unwrap();
        bytes[start..].copy_from_slice(b"abc");
        let (run, read, found) = parse(&bytes).unwrap();
        assert_eq!((run, found, &bytes[found..]), (5, start, &b"abc"[..]));
        assert_eq!(format!("{read:?}"), format!("{message:?}"));
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        assert!(parse(b"abc").is_err());
        assert!(parse(&[200, 0, 0, 0, b'{']).is_err());
        assert!(parse(&[2, 0, 0, 0, b'{', b'}']).is_err());
    }
}
