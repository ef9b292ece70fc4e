//! `alamein store`: looking after a store.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, IsTerminal as _, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_games::GameLinks;
use alamein_store::care::{self, Checked, Collected, GcOptions, Whose};
use alamein_store::{EmbeddedConfig, Kind, Postgres, Store, StoreConfig, Tenant};
use anyhow::{Context as _, Result, bail};
use bytesize::ByteSize;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::args::{
    StoreArgs, StoreCheck, StoreCommand, StoreExport, StoreGc, StoreImport, StoreMigrate,
    StoreStat, WhoseArgs,
};
use crate::output;
use crate::store::config;

/// How often it is told how far it is.
const OFTEN: Duration = Duration::from_secs(1);

pub(crate) fn run(command: &StoreCommand) -> Result<ExitCode> {
    match command {
        StoreCommand::Migrate(migrate) => self::migrate(migrate)?,
        StoreCommand::Check(check) => return self::check(check),
        StoreCommand::Export(export) => self::export(export)?,
        StoreCommand::Import(import) => self::import(import)?,
        StoreCommand::Gc(gc) => self::gc(gc)?,
        StoreCommand::Stat(stat) => self::stat(stat)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A store that is open, and threads to wait for it on.
struct Opened {
    threads: Runtime,
    store: Arc<dyn Store>,
}

impl Opened {
    fn of(args: &StoreArgs, makes: bool) -> Result<Self> {
        let config = config(args)?;
        match &config {
            StoreConfig::Memory => {
                bail!("--store: what is in memory goes with its process; name another store")
            }
            // To look at what is not there must not make it.
            StoreConfig::Embedded(EmbeddedConfig { folder, .. })
                if !makes && !folder.join("alamein.redb").exists() =>
            {
                bail!("--store: {}: there is no store", folder.display())
            }
            StoreConfig::Embedded(_) | StoreConfig::Postgres(_) => {}
        }
        let threads = Runtime::new().context("no threads to wait on")?;
        let store = threads.block_on(config.open())?;
        Ok(Self { threads, store })
    }

    fn close(self) {
        self.threads.block_on(self.store.close());
    }
}

fn whose(args: &WhoseArgs) -> Result<Whose> {
    let tenant = args.tenant.as_deref().map(str::parse).transpose();
    tenant.context("--tenant")
}

/// Tells on a terminal how far it is.
fn progress(what: &'static str) -> impl FnMut(u64) + Send {
    let terminal = io::stderr().is_terminal();
    let mut last = Instant::now();
    move |many| {
        if terminal && last.elapsed() > OFTEN {
            last = Instant::now();
            // That it cannot be told is no reason to stop.
            let _ = write!(io::stderr(), "\r{many} {what} ");
        }
    }
}

fn migrate(command: &StoreMigrate) -> Result<()> {
    let StoreConfig::Postgres(config) = config(&command.store)? else {
        return output::line(
            "only PostgreSQL has tables; any other store is up to date when it is opened",
        );
    };
    let threads = Runtime::new().context("no threads to wait on")?;
    let changed = threads.block_on(Postgres::migrate(&config))?;
    let place = config.place();
    output::line(&match changed {
        true => format!("{place}: its tables are up to date now"),
        false => format!("{place}: its tables were up to date"),
    })
}

fn check(command: &StoreCheck) -> Result<ExitCode> {
    let whose = whose(&command.whose)?;
    let opened = Opened::of(&command.store, false)?;
    let mut progress = progress("checked");
    let checking = care::check(&*opened.store, &whose, &GameLinks, &mut progress);
    let checked = opened.threads.block_on(checking)?;
    opened.close();
    if command.json {
        output::line(&checked_json(&checked).to_string())?;
    } else {
        for wrong in &checked.wrong {
            output::line(&wrong.to_string())?;
        }
        let objects: u64 = checked.objects.values().map(|(count, _)| count).sum();
        let refs: u64 = checked.refs.values().sum();
        let wrong = checked.wrong.len();
        output::line(&format!(
            "{objects} objects and {refs} names checked: {wrong} wrong"
        ))?;
        if checked.unknown > 0 {
            let unknown = checked.unknown;
            output::line(&format!(
                "{unknown} have a form that this version does not know"
            ))?;
        }
    }
    Ok(match checked.wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn checked_json(checked: &Checked) -> Value {
    let wrong = checked.wrong.iter().map(|wrong| {
        json!({
            "tenant": wrong.tenant.as_str(), "at": wrong.at, "what": wrong.what, "help": wrong.help,
        })
    });
    json!({
        "objects": counts_json(&checked.objects),
        "refs": refs_json(checked),
        "wrong": wrong.collect::<Value>(),
        "unknown": checked.unknown,
    })
}

fn counts_json(counts: &BTreeMap<(Tenant, Kind), (u64, u64)>) -> Value {
    let count = |((tenant, kind), (count, bytes)): (&(Tenant, Kind), &(u64, u64))| json!({"tenant": tenant.as_str(), "kind": kind.name(), "count": count, "bytes": bytes});
    counts.iter().map(count).collect()
}

fn refs_json(checked: &Checked) -> Value {
    let refs = checked.refs.iter().map(|((tenant, kind), count)| {
        json!({"tenant": tenant.as_str(), "kind": kind.name(), "count": count})
    });
    refs.collect()
}

fn export(command: &StoreExport) -> Result<()> {
    let whose = whose(&command.whose)?;
    let opened = Opened::of(&command.store, false)?;
    let mut progress = progress("written");
    let to_stdout = command.file == Path::new("-");
    let mut to: Box<dyn Write + Send> = if to_stdout {
        Box::new(BufWriter::new(io::stdout()))
    } else {
        // It has all that everybody has.
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&command.file);
        Box::new(BufWriter::new(
            file.with_context(|| command.file.display().to_string())?,
        ))
    };
    let exporting = care::export(&*opened.store, &whose, &mut *to, &mut progress);
    let exported = opened.threads.block_on(exporting)?;
    to.flush()?;
    opened.close();
    eprintln!(
        "alamein: {} objects and {} names written",
        exported.objects, exported.refs
    );
    Ok(())
}

fn import(command: &StoreImport) -> Result<()> {
    let whose = whose(&command.whose)?;
    let mut from: Box<dyn io::BufRead + Send> = if command.file == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(&command.file);
        Box::new(BufReader::new(
            file.with_context(|| command.file.display().to_string())?,
        ))
    };
    let opened = Opened::of(&command.store, true)?;
    let mut progress = progress("lines read");
    let importing = care::import(&*opened.store, &whose, &mut *from, &mut progress);
    let imported = opened.threads.block_on(importing);
    opened.close();
    let imported = imported.with_context(|| command.file.display().to_string())?;
    output::line(&format!(
        "{} objects read, {} of them new; {} names read, {} of them new",
        imported.objects, imported.new_objects, imported.refs, imported.new_refs
    ))
}

fn gc(command: &StoreGc) -> Result<()> {
    let options = GcOptions {
        whose: whose(&command.whose)?,
        older_than: command.older_than,
        apply: command.apply,
    };
    let opened = Opened::of(&command.store, false)?;
    let collecting = care::collect(&*opened.store, &options, &GameLinks);
    let collected = opened.threads.block_on(collecting)?;
    opened.close();
    if command.json {
        let (count, bytes) = collected.kept;
        let told = json!({
            "applied": command.apply,
            "dropped": counts_json(&collected.dropped),
            "kept": {"count": count, "bytes": bytes},
        });
        return output::line(&told.to_string());
    }
    tell_collected(&collected, command.apply)
}

fn tell_collected(collected: &Collected, applied: bool) -> Result<()> {
    tell_counts(&collected.dropped)?;
    let (objects, bytes) = collected
        .dropped
        .values()
        .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let verb = match applied {
        true => "dropped",
        false => "to drop",
    };
    let (kept, kept_bytes) = collected.kept;
    output::line(&format!(
        "{objects} objects {verb}, {}; {kept} stay, {}",
        ByteSize(bytes),
        ByteSize(kept_bytes)
    ))?;
    if !applied && objects > 0 {
        output::line("Nothing was dropped: --apply does it.")?;
    }
    Ok(())
}

fn stat(command: &StoreStat) -> Result<()> {
    let whose = whose(&command.whose)?;
    let opened = Opened::of(&command.store, false)?;
    let counting = care::count(&*opened.store, &whose);
    let counted = opened.threads.block_on(counting)?;
    opened.close();
    if command.json {
        let told = json!({"objects": counts_json(&counted.objects), "refs": refs_json(&counted)});
        return output::line(&told.to_string());
    }
    tell_counts(&counted.objects)?;
    for ((tenant, kind), count) in &counted.refs {
        output::line(&format!("{:20} {:9} {count:>9}", of(tenant), kind.name()))?;
    }
    Ok(())
}

fn tell_counts(counts: &BTreeMap<(Tenant, Kind), (u64, u64)>) -> Result<()> {
    for ((tenant, kind), (count, bytes)) in counts {
        let bytes = ByteSize(*bytes);
        output::line(&format!(
            "{:20} {:9} {count:>9}  {bytes}",
            of(tenant),
            kind.name()
        ))?;
    }
    Ok(())
}

fn of(tenant: &Tenant) -> &str {
    match tenant.as_str() {
        "" => "(the service)",
        name => name,
    }
}
