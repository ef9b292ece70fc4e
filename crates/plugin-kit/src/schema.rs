//! The JSON Schema of `plugin.json`.

use serde_json::Value;

/// The schema, as it is published.
pub const MANIFEST_SCHEMA: &str = include_str!("../../../docs/plugin.schema.json");

/// What of a manifest does not fit the schema: each fault with its place.
///
/// # Errors
/// Where the text is no JSON.
pub(crate) fn faults(manifest: &str) -> Result<Vec<String>, String> {
    let manifest: Value =
        serde_json::from_str(manifest).map_err(|error| format!("it is no JSON: {error}"))?;
    let schema: Value = serde_json::from_str(MANIFEST_SCHEMA)
        .map_err(|error| format!("the schema itself is no JSON: {error}"))?;
    let validator = jsonschema::validator_for(&schema)
        .map_err(|error| format!("the schema itself is none: {error}"))?;
    let fault = |error: jsonschema::ValidationError<'_>| {
        let path = error.instance_path().to_string();
        let path = path.trim_start_matches('/').replace('/', ".");
        if path.is_empty() {
            error.to_string()
        } else {
            format!("{path}: {error}")
        }
    };
    Ok(validator.iter_errors(&manifest).map(fault).collect())
}
