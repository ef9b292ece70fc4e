//! `alamein plugin inspect`.

use std::process::ExitCode;

use alamein_plugin_kit::{Described, Inspection};
use alamein_terrain::{Manifest, With};
use anyhow::Result;
use serde_json::{Value, json};

use super::{built, shown};
use crate::args::PluginInspect;
use crate::output;
use crate::paint::Paint;

pub(crate) fn run(inspect: &PluginInspect) -> Result<ExitCode> {
    let inspection = alamein_plugin_kit::inspect(&built(&inspect.plugin)?)?;
    if inspect.json {
        output::line(&format!("{:#}", as_json(&inspection)))?;
    } else {
        output::put(&told(&inspection, Paint::of_terminal()))?;
    }
    Ok(ExitCode::from(u8::from(inspection.refusal.is_some())))
}

/// What becomes of a panic.
fn panics(strategy: u32) -> String {
    match strategy {
        1 => "is caught in the plugin".into(),
        2 => "would end the host".into(),
        3 => "cannot be: its language has none".into(),
        other => format!("is of the unknown kind {other}"),
    }
}

fn told(inspection: &Inspection, paint: Paint) -> String {
    let Inspection {
        manifest,
        artifact,
        library,
        described,
        refusal,
    } = inspection;
    let name = paint.bold(&format!("{} {}", manifest.id, manifest.version));
    let mut text = format!("{name}  {}\n", manifest.title);
    let mut row = |name: &str, value: String| {
        if !value.is_empty() {
            text.push_str(&format!(
                "  {}  {value}\n",
                paint.faint(&format!("{name:<14}"))
            ));
        }
    };
    match refusal {
        None => row(
            "a host",
            paint.good("would take it, as far as can be told without opening it"),
        ),
        Some(why) => row(
            "a host",
            paint.bad(&format!("would refuse it: {} ({why})", why.reason())),
        ),
    }
    row(
        "library",
        format!("{} ({} bytes)", shown(library), artifact.size),
    );
    row("sha256", artifact.sha256.clone());
    row("target", artifact.target.clone());
    row("build id", artifact.build_id.clone());
    match described {
        Ok(described) => {
            row("symbol", described.symbol.clone());
            row(
                "ABI",
                format!("{}.{}", described.abi_major, described.abi_minor),
            );
            row("a panic", panics(described.panic_strategy));
            row("kinds", described.kinds.join(", "));
            row("constructors", constructors(described));
        }
        Err(why) => row("descriptor", format!("cannot be read: {why}")),
    }
    row(
        "revision",
        format!("{} of its rules", manifest.rules_revision),
    );
    row("description", manifest.description.clone());
    text.push_str(&of_manifest(manifest, paint));
    text
}

/// What runs when the library is opened.
fn constructors(described: &Described) -> String {
    match described.constructors {
        0 => "none: nothing runs before it is called".into(),
        count => {
            format!("{count} functions run as soon as it is opened (compilers add one or two)")
        }
    }
}

fn of_manifest(manifest: &Manifest, paint: Paint) -> String {
    let mut text = String::new();
    for (plugin, versions) in &manifest.requires {
        text.push_str(&format!("  needs {plugin} {versions}\n"));
    }
    for layer in &manifest.layers {
        text.push_str(&format!(
            "  layer {}: {}\n",
            paint.bold(&layer.name),
            layer.description
        ));
        for field in &layer.fields {
            text.push_str(&format!(
                "    {} ({}): {}\n",
                field.name, field.kind, field.description
            ));
        }
    }
    for it in &manifest.attributes {
        let name = paint.bold(&format!("{}.{}", manifest.id, it.name));
        let (least, most) = (it.minimum, it.maximum);
        text.push_str(&format!(
            "  attribute {name}, {least} to {most}: {}\n",
            it.description
        ));
    }
    for rule in &manifest.rules {
        text.push_str(&format!(
            "  rule {}  {}\n",
            paint.rule(&rule.id),
            rule.title
        ));
        let replaced: Vec<String> = rule.replaces.iter().map(ToString::to_string).collect();
        if !replaced.is_empty() {
            let with = match &rule.with {
                None => String::new(),
                Some(With::Number(number)) => format!(" with {number}"),
                Some(With::Option { option }) => format!(" with the option {option}"),
            };
            text.push_str(&format!("    replaces {}{with}\n", replaced.join(", ")));
        }
    }
    for option in manifest.options() {
        let name = paint.bold(&format!("{}={}", option.name, option.default));
        text.push_str(&format!("  option {name}: {}\n", option.description));
    }
    text
}

fn as_json(inspection: &Inspection) -> Value {
    let Inspection {
        manifest,
        artifact,
        library,
        described,
        refusal,
    } = inspection;
    let descriptor = match described {
        Ok(it) => json!({
            "symbol": it.symbol, "abi": format!("{}.{}", it.abi_major, it.abi_minor),
            "panic_strategy": it.panic_strategy, "id": it.id, "version": it.version,
            "target": it.target, "build_id": it.build_id, "rules": it.rules, "kinds": it.kinds,
            "struct_size": it.struct_size, "table_size": it.table_size,
            "constructors": it.constructors,
        }),
        Err(why) => json!({"error": why.to_string()}),
    };
    json!({
        "manifest": serde_json::to_value(manifest).unwrap_or_default(),
        "artifact": serde_json::to_value(artifact).unwrap_or_default(),
        "library": library,
        "descriptor": descriptor,
        "accepted": refusal.is_none(),
        "refusal": refusal.as_ref().map(|why| json!({
            "reason": why.reason(), "why": why.to_string(),
        })),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_rule_does_to_others_is_told() {
        let manifest = json!({
            "manifest_version": 1, "id": "deeper", "version": "0.1.0", "rules_revision": 1,
            "title": "Deeper", "requires": {"deir": "^0.1"},
            "rules": [
                {"id": "DD1/tem", "title": "", "message": "", "replaces": ["X4", "deir:X5/tem"],
                 "with": {"option": "tem"}},
                {"id": "DD2/tem", "title": "", "message": "", "replaces": ["X6"], "with": -1},
                {"id": "DD3/tem", "title": "", "message": "", "replaces": ["X7"]},
            ],
            "options": {"type": "object", "properties": {"tem": {"type": "integer", "default": 2}}},
        });
        let manifest = Manifest::parse(&manifest.to_string()).unwrap();
        let told = of_manifest(&manifest, Paint::of_terminal());
        for said in [
            "needs deir ^0.1\n",
            "replaces X4, deir:X5/tem with the option tem\n",
            "replaces X6 with -1\n",
            "replaces X7\n",
        ] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }
}
