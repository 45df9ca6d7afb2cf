// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A panic in a pass becomes a diagnostic and a failed pass, whatever thread it happens on.

use std::{
    fmt::Write,
    panic,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::{Module, OperationRef, attribute::StringAttribute, operation::OperationLike},
    pass::PassManager,
};
use mlir_comm::passes;

const FUNCTIONS: usize = 64;

/// A module of many functions, so that MLIR has something to run in parallel.
fn module(context: &Context) -> Module<'_> {
    let text = (0..FUNCTIONS).fold(String::new(), |mut text, index| {
        writeln!(
            text,
            "func.func @f{index}(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}"
        )
        .unwrap();
        text
    });
    Module::parse(context, &text).expect("the module parses")
}

fn name(function: OperationRef) -> String {
    function
        .attribute("sym_name")
        .ok()
        .and_then(|name| StringAttribute::try_from(name).ok())
        .map(|name| name.value().to_owned())
        .unwrap_or_default()
}

/// Runs a closure as a pass over the module; whether the manager succeeded, and all diagnostics.
fn run(
    threads: bool,
    body: impl Fn(OperationRef) -> Result<(), String> + Send + Sync + 'static,
) -> (bool, Vec<(DiagnosticSeverity, String)>) {
    let context = mlir_comm::context();
    context.enable_multi_threading(threads);
    let diagnostics = Arc::new(Mutex::new(Vec::new()));
    let sink = diagnostics.clone();
    context.attach_diagnostic_handler(move |diagnostic: Diagnostic| {
        sink.lock()
            .unwrap()
            .push((diagnostic.severity(), diagnostic.to_string()));
        true
    });
    let mut module = module(&context);
    let manager = PassManager::new(&context);
    manager
        .nested_under("func.func")
        .add_pass(passes::external("my-pass", body));
    let succeeded = manager.run(&mut module).is_ok();
    drop(manager);
    drop(module);
    drop(context);
    let diagnostics = diagnostics.lock().unwrap().clone();
    (succeeded, diagnostics)
}

/// Runs `body` without the default hook's output, which is not the matter here.
fn without_hook<T>(body: impl FnOnce() -> T) -> T {
    static HOOK: Mutex<()> = Mutex::new(());
    let _guard = HOOK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = body();
    panic::set_hook(before);
    result
}

fn errors(diagnostics: &[(DiagnosticSeverity, String)]) -> Vec<&str> {
    diagnostics
        .iter()
        .map(|(severity, text)| {
            assert!(matches!(severity, DiagnosticSeverity::Error), "{text}");
            text.as_str()
        })
        .collect()
}

#[test]
fn a_panic_in_one_of_many_parallel_functions_is_one_diagnostic_and_a_failed_pass() {
    for threads in [false, true] {
        let (succeeded, diagnostics) = without_hook(|| {
            run(threads, |function| {
                assert_ne!(name(function), "f37", "not this one");
                Ok(())
            })
        });
        assert!(!succeeded, "the pass manager fails");
        let errors = errors(&diagnostics);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            errors[0].starts_with("internal error in my-pass: assertion"),
            "{errors:?}"
        );
        assert!(errors[0].contains("not this one"), "{errors:?}");
    }
}

#[test]
fn every_form_of_a_panic_message_is_reported() {
    let cases: [(fn(), &str); 4] = [
        (|| panic!("plain"), "internal error in my-pass: plain"),
        (
            || panic!("{}", String::from("formatted")),
            "internal error in my-pass: formatted",
        ),
        (
            || panic::panic_any(7),
            "internal error in my-pass: panic without a message",
        ),
        (
            || assert_eq!(Vec::<u8>::new()[std::hint::black_box(3)], 0),
            "internal error in my-pass: index out of bounds: the len is 0 but the index is 3",
        ),
    ];
    for (body, expected) in cases {
        let (succeeded, diagnostics) = without_hook(|| {
            run(true, move |function| {
                if name(function) == "f5" {
                    body();
                }
                Ok(())
            })
        });
        assert!(!succeeded);
        assert_eq!(errors(&diagnostics), [expected]);
    }
}

#[test]
fn panics_everywhere_at_once_do_not_abort() {
    let (succeeded, diagnostics) = without_hook(|| run(true, |function| panic!("{}", name(function))));
    assert!(!succeeded);
    let errors = errors(&diagnostics);
    assert!(!errors.is_empty() && errors.len() <= FUNCTIONS, "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|error| error.starts_with("internal error in my-pass: f")),
        "{errors:?}"
    );
}

#[test]
fn an_error_is_reported_at_the_function() {
    let (succeeded, diagnostics) = run(true, |function| {
        if name(function) == "f0" {
            Err("refused".to_owned())
        } else {
            Ok(())
        }
    });
    assert!(!succeeded);
    assert_eq!(errors(&diagnostics), ["my-pass: refused"]);
}

#[test]
fn a_pass_without_errors_visits_every_function_once() {
    let visited = Arc::new(AtomicUsize::new(0));
    let counter = visited.clone();
    let (succeeded, diagnostics) = run(true, move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    assert!(succeeded);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(visited.load(Ordering::Relaxed), FUNCTIONS);
    assert_eq!(
        Arc::strong_count(&visited),
        1,
        "all clones of the pass are gone, and the closure with them"
    );
}
