//! Lines of sight as rows of a table.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use alamein_terrain::{FieldOfView, Sight};
use anyhow::{Context, Result};
use arrow_array::{RecordBatch, StringArray, UInt8Array, UInt16Array};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Encoding;
use parquet::file::properties::WriterProperties;

use crate::args::Form;

/// The word for a sight.
pub(super) fn name(sight: Sight) -> &'static str {
    match sight {
        Sight::Clear => "clear",
        Sight::Hindered(_) => "hindered",
        Sight::BlockedByTerrain => "blocked_by_terrain",
        Sight::BlockedByHindrances(_) => "blocked_by_hindrances",
        Sight::NotImplemented => "not_implemented",
    }
}

/// A file of rows that is being written. What it is of, its first field of view says.
pub(super) struct Rows {
    file: Option<File>,
    form: Form,
    open: Option<Open>,
    count: u64,
}

enum Open {
    Parquet(ArrowWriter<File>, Arc<Schema>),
    Arrow(FileWriter<BufWriter<File>>, Arc<Schema>),
}

impl Rows {
    /// A new file, whatever was there.
    pub(super) fn create(path: &Path, form: Form) -> std::io::Result<Self> {
        Ok(Self {
            file: Some(File::create(path)?),
            form,
            open: None,
            count: 0,
        })
    }

    /// Adds what is seen from one hex.
    pub(super) fn add(&mut self, field: &FieldOfView) -> Result<()> {
        if let Some(file) = self.file.take() {
            self.open = Some(Open::new(file, self.form, schema(field))?);
        }
        let open = self.open.as_mut().context("nothing is open")?;
        let schema = match open {
            Open::Parquet(_, schema) | Open::Arrow(_, schema) => Arc::clone(schema),
        };
        let batch = batch(field, schema)?;
        match open {
            Open::Parquet(writer, _) => writer.write(&batch)?,
            Open::Arrow(writer, _) => writer.write(&batch)?,
        }
        self.count += field.sights.len() as u64;
        Ok(())
    }

    /// Ends the file; gives how many rows it has.
    pub(super) fn finish(self) -> Result<u64> {
        match self.open.context("there is nothing to write")? {
            Open::Parquet(writer, _) => {
                writer.close()?;
            }
            Open::Arrow(mut writer, _) => writer.finish()?,
        }
        Ok(self.count)
    }
}

impl Open {
    fn new(file: File, form: Form, schema: Schema) -> Result<Self> {
        let schema = Arc::new(schema);
        Ok(match form {
            Form::Parquet => {
                // Names and words come again and again; what is left is a run of small numbers.
                let properties = WriterProperties::builder()
                    .set_dictionary_enabled(true)
                    .set_encoding(Encoding::PLAIN)
                    .set_created_by(format!("alamein {}", env!("CARGO_PKG_VERSION")))
                    .build();
                let of = Arc::clone(&schema);
                Self::Parquet(ArrowWriter::try_new(file, of, Some(properties))?, schema)
            }
            Form::Arrow => Self::Arrow(FileWriter::try_new(BufWriter::new(file), &schema)?, schema),
        })
    }
}

/// The columns, and of what they are.
fn schema(field: &FieldOfView) -> Schema {
    let columns = vec![
        Field::new("from", DataType::Utf8, false),
        Field::new("to", DataType::Utf8, false),
        Field::new("range", DataType::UInt16, false),
        Field::new("sight", DataType::Utf8, false),
        Field::new("hindrance", DataType::UInt8, true),
    ];
    let of = [
        ("alamein.rules_fingerprint", field.rules.to_string()),
        ("alamein.position_id", field.position.to_string()),
        ("alamein.grazing_policy", field.policy.name().to_owned()),
    ];
    let of = of.map(|(key, value)| (key.to_owned(), value));
    Schema::new_with_metadata(columns, HashMap::from(of))
}

/// The rows of one viewer.
fn batch(field: &FieldOfView, schema: Arc<Schema>) -> Result<RecordBatch, ArrowError> {
    let label = |hex| field.grid.label(hex);
    let (from, sights) = (label(field.viewer), || field.sights.iter());
    let froms = StringArray::from_iter_values(sights().map(|_| &from));
    let tos = StringArray::from_iter_values(sights().map(|(hex, _)| label(*hex)));
    let ranges = sights().map(|(hex, _)| field.viewer.range(*hex));
    let words = StringArray::from_iter_values(sights().map(|(_, sight)| name(*sight)));
    let hindrances: UInt8Array = sights().map(|(_, sight)| sight.hindrance()).collect();
    RecordBatch::try_new(
        schema,
        vec![
            Arc::new(froms),
            Arc::new(tos),
            Arc::new(UInt16Array::from_iter_values(ranges)),
            Arc::new(words),
            Arc::new(hindrances),
        ],
    )
}
