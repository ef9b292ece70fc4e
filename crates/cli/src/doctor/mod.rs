//! `alamein doctor`: what an operator would look at, looked at.

mod certificate;
mod keeping;
mod machine;
mod ports;
mod service;
mod setup;

use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use crate::args::Doctor;
use crate::output;
use crate::paint::Paint;

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Ok,
    Warn,
    Fail,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// Something that was looked at.
#[derive(Clone, Debug)]
struct Finding {
    /// What was looked at, in a word or two.
    of: &'static str,
    state: State,
    /// How it is, and what to do.
    what: String,
}

/// All that was looked at.
#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn note(&mut self, of: &'static str, state: State, what: impl Into<String>) {
        let what = what.into();
        self.0.push(Finding { of, state, what });
    }

    fn ok(&mut self, of: &'static str, what: impl Into<String>) {
        self.note(of, State::Ok, what);
    }

    fn warn(&mut self, of: &'static str, what: impl Into<String>) {
        self.note(of, State::Warn, what);
    }

    fn fail(&mut self, of: &'static str, what: impl Into<String>) {
        self.note(of, State::Fail, what);
    }

    fn count(&self, state: State) -> usize {
        self.0.iter().filter(|it| it.state == state).count()
    }
}

pub(crate) fn run(doctor: &Doctor) -> Result<ExitCode> {
    let mut found = Findings::default();
    let serve = match setup::configuration(doctor, &mut found) {
        Ok(serve) => serve,
        Err(code) => return Ok(code),
    };
    if let Some(serve) = &serve {
        setup::plugins(serve, &mut found);
        setup::files(serve, &mut found);
        keeping::look(serve, &mut found);
        machine::look(serve, &mut found);
        ports::look(serve, &mut found);
    }
    if let Some(url) = &doctor.server {
        match doctor.access.read() {
            Ok(access) => service::look(url, &access, &mut found),
            Err(error) => found.fail("service", format!("{error:#}")),
        }
    }
    match doctor.json {
        true => output::line(&format!("{:#}", as_json(&found)))?,
        false => output::put(&told(&found, Paint::of_terminal()))?,
    }
    Ok(ExitCode::from(u8::from(found.count(State::Fail) > 0)))
}

fn told(found: &Findings, paint: Paint) -> String {
    let mut text = String::new();
    for finding in &found.0 {
        let state = format!("{:<4}", finding.state.name());
        let state = match finding.state {
            State::Ok => paint.good(&state),
            State::Warn => paint.middling(&state),
            State::Fail => paint.bad(&state),
        };
        let of = paint.bold(&format!("{:<14}", finding.of));
        text.push_str(&format!("{state}  {of}  {}\n", finding.what));
    }
    let [ok, warn, fail] = [State::Ok, State::Warn, State::Fail].map(|it| found.count(it));
    text.push_str(&format!(
        "{ok} ok, {warn} to think of, {fail} to put right\n"
    ));
    text
}

fn as_json(found: &Findings) -> Value {
    let finding = |it: &Finding| json!({ "of": it.of, "state": it.state.name(), "what": it.what });
    json!({
        "findings": found.0.iter().map(finding).collect::<Vec<_>>(),
        "ok": found.count(State::Ok),
        "warn": found.count(State::Warn),
        "fail": found.count(State::Fail),
    })
}
