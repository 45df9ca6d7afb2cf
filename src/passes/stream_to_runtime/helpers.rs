// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Functions that lowered modules bring along, each added where something calls it.
//!
//! They hold what takes a branch on the outcome of a call, so that the code at each place stays a straight line.

use super::emit::Lowering;
use crate::mlir::{PassResult, Ty};

/// Whether a program may still believe its data: no where any rank has failed, yes for what runs on a stream, where nothing
/// begins after a failure. `(rank) -> i1`.
pub(super) const MAY_GO_ON: &str = "comm_lowered_may_go_on";
/// The address of a member's part of a symmetric buffer; after a failure, of memory of the function's own, so that the program
/// can go on to its end. `(rank, buffer, member, bytes, result, spare) -> address`.
pub(super) const VIEW: &str = "comm_lowered_view";
/// Frees what the above has made. `(spare)`.
pub(super) const FREE_SPARE: &str = "comm_lowered_free_spare";
/// `comm_rt_matmul` in a device's own thread: a refusal is a failure of the program.
/// `(rank, target, left, right, location)`.
pub(super) const MATMUL: &str = "comm_lowered_matmul";
/// `comm_rt_matmul` on a stream: a refusal is remembered for the end of the launch. `(status, target, left, right)`.
pub(super) const LAUNCHED_MATMUL: &str = "comm_lowered_launched_matmul";
/// A stream waits for an event; 0 is one that has happened. `(rank, stream, event, location)`.
pub(super) const WAIT_EVENT: &str = "comm_lowered_wait_event";
/// A device's own thread waits for an event; 0 is one that has happened. `(rank, event, location)`.
pub(super) const SYNCHRONIZE_EVENT: &str = "comm_lowered_synchronize_event";
/// The number of a rank in a table by rank; 0 for ranks beyond it. `(own, table, length) -> number`.
pub(super) const PICK: &str = "comm_lowered_pick";
/// The group of these members, or, where there are none, of this rank alone. `(rank, own, members, count, result) -> group`.
pub(super) const GROUP_OF: &str = "comm_lowered_group_of";

/// Adds a function, with the declarations that it needs.
pub(super) fn require(lowering: &mut Lowering, name: &str) -> PassResult {
    if lowering.has_declared(name) {
        return Ok(());
    }
    let (needs, text): (&[&str], &str) = match name {
        VIEW => (&[PEER, CALLOC], VIEW_TEXT),
        FREE_SPARE => (&[FREE], FREE_SPARE_TEXT),
        MATMUL => (&[PRODUCT, FAIL], MATMUL_TEXT),
        LAUNCHED_MATMUL => (&[PRODUCT], LAUNCHED_MATMUL_TEXT),
        WAIT_EVENT => (&[EVENT_WAIT], WAIT_EVENT_TEXT),
        SYNCHRONIZE_EVENT => (&[EVENT_SYNCHRONIZE], SYNCHRONIZE_EVENT_TEXT),
        GROUP_OF => (&[GROUP], GROUP_OF_TEXT),
        PICK => (&[], PICK_TEXT),
        _ => (&[WORLD_HAS_FAILED], MAY_GO_ON_TEXT),
    };
    lowering.declare(&format!("{}\n{text}", needs.join("\n")))
}

/// The type of what a helper gives.
pub(super) fn result_type(lowering: &Lowering, name: &str) -> Option<Ty> {
    let text = match name {
        VIEW => "!llvm.ptr",
        GROUP_OF | PICK => "i64",
        MAY_GO_ON => "i1",
        _ => return None,
    };
    Ty::parse(lowering.context, text)
}

const CALLOC: &str = "llvm.func @calloc(i64, i64) -> !llvm.ptr";
const FREE: &str = "llvm.func @free(!llvm.ptr)";
const PEER: &str = "func.func private @comm_rt_symmetric_peer(!llvm.ptr, i64, i64, !llvm.ptr) -> i32";
const PRODUCT: &str = "func.func private @comm_rt_matmul(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32";
const FAIL: &str = "func.func private @comm_rt_fail(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32";
const EVENT_WAIT: &str = "func.func private @comm_rt_event_wait(!llvm.ptr, i64, i64, !llvm.ptr) -> i32";
const EVENT_SYNCHRONIZE: &str =
    "func.func private @comm_rt_event_synchronize(!llvm.ptr, i64, !llvm.ptr) -> i32";
const GROUP: &str = "func.func private @comm_rt_group(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32";
const WORLD_HAS_FAILED: &str = "func.func private @comm_rt_world_has_failed(!llvm.ptr) -> i32";

const MAY_GO_ON_TEXT: &str = r#"
func.func private @comm_lowered_may_go_on(%rank: !llvm.ptr) -> i1 {
  %zero = arith.constant 0 : i32
  %failed = func.call @comm_rt_world_has_failed(%rank) : (!llvm.ptr) -> i32
  %may = arith.cmpi eq, %failed, %zero : i32
  return %may : i1
}"#;

const VIEW_TEXT: &str = r#"
func.func private @comm_lowered_view(%rank: !llvm.ptr, %buffer: i64, %member: i64, %bytes: i64,
                                     %result: !llvm.ptr, %spare: !llvm.ptr) -> !llvm.ptr {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %status = func.call @comm_rt_symmetric_peer(%rank, %buffer, %member, %result)
      : (!llvm.ptr, i64, i64, !llvm.ptr) -> i32
  %is_well = arith.cmpi eq, %status, %zero : i32
  %address = scf.if %is_well -> (!llvm.ptr) {
    %part = llvm.load %result : !llvm.ptr -> !llvm.ptr
    scf.yield %part : !llvm.ptr
  } else {
    %old = llvm.load %spare : !llvm.ptr -> !llvm.ptr
    %is_new = llvm.icmp "eq" %old, %null : !llvm.ptr
    %memory = scf.if %is_new -> (!llvm.ptr) {
      %new = llvm.call @calloc(%one, %bytes) : (i64, i64) -> !llvm.ptr
      llvm.store %new, %spare : !llvm.ptr, !llvm.ptr
      scf.yield %new : !llvm.ptr
    } else {
      scf.yield %old : !llvm.ptr
    }
    scf.yield %memory : !llvm.ptr
  }
  return %address : !llvm.ptr
}"#;

const FREE_SPARE_TEXT: &str = r#"
func.func private @comm_lowered_free_spare(%spare: !llvm.ptr) {
  %memory = llvm.load %spare : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%memory) : (!llvm.ptr) -> ()
  return
}"#;

const MATMUL_TEXT: &str = r#"
llvm.mlir.global internal constant @comm_lowered_refused("refused: shapes that do not fit, or a target that is an operand\00") : !llvm.array<64 x i8>
func.func private @comm_lowered_matmul(%rank: !llvm.ptr, %target: !llvm.ptr, %left: !llvm.ptr, %right: !llvm.ptr,
                                       %location: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %accumulate = arith.constant 1 : i32
  %status = func.call @comm_rt_matmul(%target, %left, %right, %accumulate)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32
  %has_failed = arith.cmpi ne, %status, %zero : i32
  scf.if %has_failed {
    %message = llvm.mlir.addressof @comm_lowered_refused : !llvm.ptr
    %reported = func.call @comm_rt_fail(%rank, %message, %location) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  }
  return
}"#;

const LAUNCHED_MATMUL_TEXT: &str = r#"
func.func private @comm_lowered_launched_matmul(%place: !llvm.ptr, %target: !llvm.ptr, %left: !llvm.ptr,
                                                %right: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %accumulate = arith.constant 1 : i32
  %status = func.call @comm_rt_matmul(%target, %left, %right, %accumulate)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32
  %has_failed = arith.cmpi ne, %status, %zero : i32
  scf.if %has_failed {
    llvm.store %status, %place : i32, !llvm.ptr
  }
  return
}"#;

const WAIT_EVENT_TEXT: &str = r#"
func.func private @comm_lowered_wait_event(%rank: !llvm.ptr, %stream: i64, %event: i64, %location: !llvm.ptr) {
  %none = arith.constant 0 : i64
  %is_due = arith.cmpi ne, %event, %none : i64
  scf.if %is_due {
    %status = func.call @comm_rt_event_wait(%rank, %stream, %event, %location)
        : (!llvm.ptr, i64, i64, !llvm.ptr) -> i32
  }
  return
}"#;

const SYNCHRONIZE_EVENT_TEXT: &str = r#"
func.func private @comm_lowered_synchronize_event(%rank: !llvm.ptr, %event: i64, %location: !llvm.ptr) {
  %none = arith.constant 0 : i64
  %is_due = arith.cmpi ne, %event, %none : i64
  scf.if %is_due {
    %status = func.call @comm_rt_event_synchronize(%rank, %event, %location) : (!llvm.ptr, i64, !llvm.ptr) -> i32
  }
  return
}"#;

const GROUP_OF_TEXT: &str = r#"
func.func private @comm_lowered_group_of(%rank: !llvm.ptr, %own: i64, %list: !llvm.ptr, %members: i64,
                                         %result: !llvm.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_alone = arith.cmpi eq, %members, %none : i64
  // The result's place holds the one member until the group is written there.
  %held = arith.select %is_alone, %own, %none : i64
  %from = arith.select %is_alone, %result, %list : !llvm.ptr
  %count = arith.select %is_alone, %one, %members : i64
  llvm.store %held, %result : i64, !llvm.ptr
  %status = func.call @comm_rt_group(%rank, %from, %count, %result) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32
  %group = llvm.load %result : !llvm.ptr -> i64
  return %group : i64
}"#;

const PICK_TEXT: &str = r#"
func.func private @comm_lowered_pick(%own: i64, %table: !llvm.ptr, %known: i64) -> i64 {
  %none = arith.constant 0 : i64
  %is_known = arith.cmpi ult, %own, %known : i64
  %number = scf.if %is_known -> (i64) {
    %place = llvm.getelementptr %table[%own] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %found = llvm.load %place : !llvm.ptr -> i64
    scf.yield %found : i64
  } else {
    scf.yield %none : i64
  }
  return %number : i64
}"#;
