//! The options, written out for people: a configuration file that explains itself, and the page of the
//! documentation.

use super::options::{ServeOption, Takes};
use crate::output::wrapped;

/// How wide comments are.
const WIDTH: usize = 98;

const HEAD: &str = "\
# How `alamein serve` is to run. Every option stands here, explained and at its default: take the # away
# before one to set it.
#
# A flag comes first, then the environment, then this file, then the default. A key is the long name of
# its flag. Text that is empty sets nothing. Paths are relative to the folder of this file. Times are
# written \"250ms\", \"3s\", \"1m 30s\" (a bare number is milliseconds), amounts \"64KiB\", \"4MiB\", \"2GB\" (a bare
# number is bytes). `alamein config check` tells all that is wrong, `alamein config show` what is in force.
";

const PAGE: &str = "\
# Configuration

`alamein serve` needs no configuration. What is to differ from its defaults is set by a flag, by the
environment, or in a file. A flag comes before the environment, the environment before the file, and the
file before the default.

```sh
alamein config init alamein.toml       # a file with every option, explained and at its default
alamein config check alamein.toml      # all that is wrong with it, at once; exit status 1 if anything is
alamein config show alamein.toml       # what is in force, and where each value comes from
alamein serve --config alamein.toml
```

**Which file.** That of `--config FILE`, else of `ALAMEIN_CONFIG`, else `alamein.toml` in the working
directory, else `/etc/alamein/alamein.toml`, else none. The first line of the log says which was read.
`--config /dev/null` reads none. One file is read, and no other beside it.

**Its keys** are the long names of the flags. Those that `alamein serve --help` lists under a heading stand
in a section of that name, in lower case and with hyphens; the others stand at the top.

```toml
listen = \"0.0.0.0:50051\"
lame-duck = \"5s\"

[limits]
max-requests = 512
max-request-bytes = \"8MiB\"

[rules]
set = [\"deir.unarmored_vehicle=tem\"]
```

A key that nobody knows is an error, with its line and what may be meant, and so is a value that does not
fit. A switch is `true` or `false`. An option that may be given more than once takes a list; where a flag
or the environment gives it too, theirs takes the place of the whole list. A text that is empty sets
nothing. Paths are relative to the folder of the file.

**The environment.** Each option has a name there, in the tables below: `ALAMEIN_` and the name of its flag,
with a few exceptions that are older. An empty value sets nothing. The values of a list stand on lines of
their own, or are parted by commas if there is but one line. A Service of Kubernetes that is called `alamein`
sets names that begin likewise, none of which is an option's; `enableServiceLinks: false` keeps them away.

**Flags.** A switch that is set elsewhere is taken back with `=false`: `--watch=false`.

**Times** are written `250ms`, `3s`, `1m 30s`; a bare number is milliseconds. **Amounts** are written
`64KiB`, `4MiB`, `2GB`; a bare number is bytes.

**Secrets** do not stand in the file: it names the files that hold them, which only their owner may read. A URL with a
password in it is refused in a file that others may read. `config show` shows no password.

Wrong flags end with exit status 2, a wrong file or environment with 78.

## Options
";

/// A configuration file with every option.
pub(super) fn example(options: &[ServeOption]) -> String {
    let mut text = HEAD.to_owned();
    let mut heading = String::new();
    for option in options {
        if option.heading != heading {
            heading.clone_from(&option.heading);
            text.push_str(&format!("\n\n[{}]\n", option.section()));
        }
        text.push('\n');
        for paragraph in paragraphs(option) {
            for line in wrapped(&paragraph, WIDTH) {
                text.push_str(&format!("# {line}\n"));
            }
        }
        text.push_str(&format!("# ({})\n", kind(option)));
        text.push_str(&format!(
            "#{} = {}\n",
            option.name,
            value(option, &option.default)
        ));
    }
    text
}

/// What an option is for, by paragraphs. Help has no full stop after a first line; where more follows in the
/// same text it gets one, so that sentences do not run together.
fn paragraphs(option: &ServeOption) -> Vec<String> {
    let paragraphs = option.help.split("\n\n");
    let whole = paragraphs.map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut whole: Vec<String> = whole.collect();
    let before_last = whole.len().saturating_sub(1);
    for paragraph in whole.iter_mut().take(before_last) {
        if !paragraph.ends_with(['.', '?', '!', ':', ';']) {
            paragraph.push('.');
        }
    }
    whole
}

/// What it takes, and its name in the environment.
fn kind(option: &ServeOption) -> String {
    let takes = match option.takes {
        Takes::Switch => "true or false".to_owned(),
        Takes::Many => format!("a list, each {}", option.value_name),
        Takes::One if option.words.is_empty() => option.value_name.clone(),
        Takes::One => format!("one of {}", option.words.join(", ")),
    };
    format!("{takes}; environment {}", option.env)
}

/// The page of all options.
pub(super) fn reference(options: &[ServeOption]) -> String {
    let mut text = PAGE.to_owned();
    let mut heading = None;
    for option in options {
        if heading != Some(&option.heading) {
            heading = Some(&option.heading);
            let title = match option.heading.as_str() {
                "" => "At the top of the file".to_owned(),
                heading => format!("{heading}: `[{}]`", option.section()),
            };
            text.push_str(&format!("\n### {title}\n\n"));
            text.push_str(
                "| key and flag | environment | default | what it is |\n|---|---|---|---|\n",
            );
        }
        let flag = match option.takes {
            Takes::Switch => format!("`--{}`", option.name),
            _ => format!(
                "`--{} {}`",
                option.name,
                option.value_name.replace('|', "\\|")
            ),
        };
        let default = match option.default.as_slice() {
            [] => String::new(),
            default => format!("`{}`", default.join(" ")),
        };
        let help = paragraphs(option).join(" ");
        let help = help.replace('|', "\\|").replace('<', "&lt;");
        text.push_str(&format!(
            "| {flag} | `{}` | {default} | {help} |\n",
            option.env
        ));
    }
    text
}

/// Values as the file has them.
pub(super) fn value(option: &ServeOption, values: &[String]) -> String {
    let text = |value: &String| toml::Value::String(value.clone()).to_string();
    match (option.takes, values) {
        (Takes::Many, values) => {
            let values: Vec<_> = values.iter().map(text).collect();
            format!("[{}]", values.join(", "))
        }
        (_, []) => "\"\"".to_owned(),
        (Takes::Switch, [value, ..]) => super::layers::is_on(value).to_string(),
        (Takes::One, [value, ..]) if value.parse::<u32>().is_ok() => value.clone(),
        (Takes::One, [value, ..]) if ["true", "false"].contains(&value.as_str()) => value.clone(),
        (Takes::One, [value, ..]) => text(value),
    }
}
