// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The timing and the memory model against figures that another program computed.

use comm_schedule::json::Document;
use comm_schedule::{memory, timeline};

#[test]
fn reference_figures_of_real_steps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let reference = &serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["reference"];
        let document = Document::parse(&text).expect("a problem");
        let problem = document.problem();
        problem.check().expect("well formed");
        let order: Vec<_> = problem.ids().collect();
        let timeline = timeline(problem, &order);
        let microseconds = |ns: u64| (ns as f64 / 100.0).round() / 10.0;
        assert_eq!(reference["time_us"], microseconds(timeline.step_ns), "{}", path.display());
        assert_eq!(reference["exposed_us"], microseconds(timeline.total_exposed_ns()), "{}", path.display());
        assert_eq!(reference["peak_bytes"], memory::peak(problem, &order), "{}", path.display());
        files += 1;
    }
    assert!(files >= 5, "found {files} problems");
}
