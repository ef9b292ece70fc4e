//! Colours, where they are wanted.

use std::io::IsTerminal;

/// Whether to use colours: on a terminal that has some, unless `NO_COLOR` says otherwise.
pub(crate) fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) on: bool,
}

impl Paint {
    /// As the terminal wants it.
    pub(crate) fn of_terminal() -> Self {
        Self { on: wanted() }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.with("1;32", text)
    }

    pub(crate) fn middling(self, text: &str) -> String {
        self.with("1;33", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }

    pub(crate) fn rule(self, text: &str) -> String {
        self.with("36", text)
    }
}
