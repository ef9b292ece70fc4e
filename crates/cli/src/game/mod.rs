//! `alamein game`: games that a service keeps.

pub(crate) mod help;
mod record;
mod telling;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use alamein_cases::load;
use alamein_client::{Client, Error, Kept, NewGame, Next, Said, Subject, v1};
use alamein_terrain::{Digest, Position};
use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::args::{
    AccessArgs, GameAdvance, GameCommand, GameCreate, GameDelete, GameFork, GameHistory, GameList,
    GameRuleset, GameShow, GameUndo, GameWatch, HeadArgs, NewGameArgs, SaidArgs, TableArgs,
};
use crate::facts::Facts;
use crate::remote::manifest;
use crate::ruleset::Place;
use crate::{output, position, scenario};

/// For how long a watch bears with a service that is away.
const PATIENCE: Duration = Duration::from_secs(600);

pub(crate) fn run(command: &GameCommand) -> Result<ExitCode> {
    let done = match command {
        GameCommand::Create(create) => of_create(create),
        GameCommand::Show(show) => of_show(show),
        GameCommand::List(list) => of_list(list),
        GameCommand::Advance(advance) => of_advance(advance),
        GameCommand::Undo(undo) => of_undo(undo),
        GameCommand::Fork(fork) => of_fork(fork),
        GameCommand::History(history) => of_history(history),
        GameCommand::Watch(watch) => of_watch(watch),
        GameCommand::Ruleset(ruleset) => of_ruleset(ruleset),
        GameCommand::Record(record) => record::run(record),
        GameCommand::Delete(delete) => of_delete(delete),
    };
    match done {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => match error.downcast_ref::<TooLate>() {
            Some(late) => {
                eprintln!("alamein: {late}");
                Ok(ExitCode::from(1))
            }
            None => Err(error),
        },
    }
}

/// The game has moved on meanwhile.
#[derive(Debug, thiserror::Error)]
#[error(
    "nothing was done: the game {game} has moved on, and its newest entry is number {number}, with the position \
     {position}. See what was done (alamein game history {game} --newest-first), and do yours again if it is \
     still right{etag}"
)]
struct TooLate {
    game: String,
    number: u64,
    position: Digest,
    etag: &'static str,
}

/// The service, and who one is to it.
struct Table {
    place: Place,
}

impl Table {
    fn open(server: &str, access: &AccessArgs) -> Result<Self> {
        let place = Place::of(server, &access.read()?)?;
        Ok(Self { place })
    }

    fn client(&self) -> &Client {
        &self.place.client
    }

    fn wait<T>(&self, call: impl Future<Output = Result<T, Error>>) -> Result<T> {
        Ok(self.place.runtime.block_on(call)?)
    }

    /// Waits for what changes a game.
    fn change<T>(
        &self,
        head: &HeadArgs,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T> {
        let done = self.place.runtime.block_on(call);
        done.map_err(|error| match error.moved_on() {
            Some(now) => TooLate {
                game: head.game.clone(),
                number: now.number,
                position: now.position,
                etag: match head.etag {
                    Some(_) => ", with the etag that `alamein game show` tells, or without one",
                    None => "",
                },
            }
            .into(),
            None => error.into(),
        })
    }

    /// A game that somebody changes, as it is now, or as it was when it had the etag that is given. A
    /// request that is sent again is known by its id among what came after its etag: without one, what it
    /// did would be the very thing that it is done on top of.
    fn changing(&self, head: &HeadArgs, said: &SaidArgs) -> Result<v1::Game> {
        if head.etag.is_none() && !said.request_id.is_empty() {
            bail!(
                "--request-id needs --etag: the one that `alamein game show {} --json` told before, the same \
                 both times",
                head.game
            );
        }
        self.head(head)
    }

    /// A game as it is now, or as it was when it had the etag that is given.
    fn head(&self, head: &HeadArgs) -> Result<v1::Game> {
        let game = self.wait(self.client().game(&head.game, None))?;
        Ok(match &head.etag {
            Some(etag) => v1::Game {
                etag: etag.clone(),
                ..game
            },
            None => game,
        })
    }

    /// A position that the service keeps.
    fn position(&self, id: &str) -> Result<Position> {
        let id = id
            .parse()
            .map_err(|why: &str| anyhow::anyhow!("{id}: {why}"))?;
        self.wait(self.client().position(id, None))
    }

    /// The position that a text means: the id of one that the service keeps, or a case file. The layers of
    /// a file are those that a ruleset knows.
    fn meant(&self, text: &str, ruleset: &str) -> Result<(Arc<Position>, bool)> {
        if text.parse::<Digest>().is_ok() {
            return Ok((Arc::new(self.position(text)?), true));
        }
        let mut manifests = Vec::new();
        for plugin in &self.place.get(ruleset)?.plugins {
            manifests.push(manifest::of(plugin)?.0);
        }
        let facts = Facts::of(manifests.iter());
        let case = load(Path::new(text), &facts.known)?;
        scenario::warn_of_strangers(&case);
        Ok((case.position, false))
    }

    /// How hexes are called in a game.
    fn teller(&self, game: &str) -> Result<telling::Teller> {
        let game = self.wait(self.client().game(game, None))?;
        self.teller_of(&game)
    }

    fn teller_of(&self, game: &v1::Game) -> Result<telling::Teller> {
        let head = game.head.as_ref().context("no entry in the answer")?;
        let position = self.position(&head.position_id)?;
        Ok(telling::Teller {
            grid: position.map().grid,
        })
    }

    fn tell(&self, game: &v1::Game, json: bool) -> Result<()> {
        let teller = self.teller_of(game)?;
        match json {
            true => output::line(&format!("{:#}", teller.game_json(game)?)),
            false => output::put(&teller.game(game)?),
        }
    }
}

fn subject(position: &Position, kept: bool) -> Subject<'_> {
    match kept {
        true => Subject::Kept(Kept {
            id: position.id(),
            grid: position.map().grid,
        }),
        false => Subject::Carried(position),
    }
}

fn said(said: &SaidArgs) -> Said {
    Said {
        by: said.by.clone(),
        note: said.note.clone(),
        request_id: said.request_id.clone(),
    }
}

fn new_game(new: &NewGameArgs) -> NewGame {
    NewGame {
        id: new.id.clone(),
        owner: new.owner.clone(),
        title: new.title.clone(),
    }
}

fn of_create(create: &GameCreate) -> Result<()> {
    let TableArgs {
        server,
        json,
        access,
    } = &create.table;
    let table = Table::open(server, access)?;
    let ruleset = match create.ruleset.as_str() {
        "" => String::new(),
        word => table.place.meant(word)?,
    };
    let (position, kept) = table.meant(&create.position, &ruleset)?;
    let new = new_game(&create.new);
    let client = table.client().clone().with_ruleset(ruleset);
    let (start, said) = (subject(&position, kept), said(&create.said));
    let game = table.wait(client.create_game(&new, start, &said))?;
    table.tell(&game, *json)
}

fn of_show(show: &GameShow) -> Result<()> {
    let table = Table::open(&show.table.server, &show.table.access)?;
    let teller = table.teller(&show.game)?;
    let side = show.as_side.as_deref();
    let game = table.wait(table.client().game(&show.game, side))?;
    match show.table.json {
        true => output::line(&format!("{:#}", teller.game_json(&game)?)),
        false => output::put(&teller.game(&game)?),
    }
}

fn of_list(list: &GameList) -> Result<()> {
    let table = Table::open(&list.table.server, &list.table.access)?;
    let games = table.wait(table.client().list_games(&list.owner))?;
    if list.table.json {
        let told: Vec<_> = games.iter().map(telling::summary_json).collect();
        return output::line(&format!("{:#}", json!({ "games": told })));
    }
    for game in &games {
        output::line(&telling::summary(game))?;
    }
    Ok(())
}

fn of_advance(advance: &GameAdvance) -> Result<()> {
    let table = Table::open(&advance.table.server, &advance.table.access)?;
    let head = table.changing(&advance.head, &advance.said)?;
    let client = table.client();
    let (changes, wanted);
    let next = match (&advance.changes, &advance.to) {
        (Some(file), _) => {
            let on = head.head.as_ref().context("no entry in the answer")?;
            let on = table.position(&on.position_id)?;
            changes = position::read_changes(file, &on)?;
            Next::By(&changes, on.map().grid)
        }
        (None, Some(to)) => {
            wanted = table.meant(to, &head.rules_fingerprint)?;
            Next::To(subject(&wanted.0, wanted.1))
        }
        (None, None) => bail!("neither changes nor --to"),
    };
    if advance.validate_only {
        table.change(&advance.head, client.may_advance_game(&head, next))?;
        return output::line("it could be done; nothing was");
    }
    let said = said(&advance.said);
    let done = table.change(&advance.head, client.advance_game(&head, next, &said))?;
    table.tell(&done, advance.table.json)
}

fn of_undo(undo: &GameUndo) -> Result<()> {
    let table = Table::open(&undo.table.server, &undo.table.access)?;
    let head = table.changing(&undo.head, &undo.said)?;
    let said = said(&undo.said);
    let call = table.client().undo_game(&head, undo.to, &said);
    let done = table.change(&undo.head, call)?;
    table.tell(&done, undo.table.json)
}

fn of_fork(fork: &GameFork) -> Result<()> {
    let table = Table::open(&fork.table.server, &fork.table.access)?;
    let new = new_game(&fork.new);
    let said = said(&fork.said);
    let call = table.client().fork_game(&fork.game, fork.at, &new, &said);
    let game = table.wait(call)?;
    table.tell(&game, fork.table.json)
}

fn of_history(history: &GameHistory) -> Result<()> {
    let table = Table::open(&history.table.server, &history.table.access)?;
    let teller = table.teller(&history.game)?;
    let (newest_first, side) = (history.newest_first, history.as_side.as_deref());
    let mut pages = table.client().history(&history.game, newest_first, side);
    let mut left = history.limit.unwrap_or(usize::MAX);
    while left > 0 {
        let Some(page) = table.wait(pages.next_page())? else {
            break;
        };
        for entry in page.iter().take(left) {
            teller.put(entry, history.table.json)?;
        }
        left = left.saturating_sub(page.len());
    }
    Ok(())
}

fn of_watch(watch: &GameWatch) -> Result<()> {
    let table = Table::open(&watch.table.server, &watch.table.access)?;
    let teller = table.teller(&watch.game)?;
    let side = watch.as_side.as_deref();
    let entries = table.client().watch_game(&watch.game, watch.after, side);
    let mut entries = entries.with_patience(PATIENCE);
    while watch.until.is_none_or(|until| entries.last() < until) {
        let entry = table.wait(entries.next())?;
        teller.put(&entry, watch.table.json)?;
    }
    Ok(())
}

fn of_ruleset(ruleset: &GameRuleset) -> Result<()> {
    let table = Table::open(&ruleset.table.server, &ruleset.table.access)?;
    let head = table.changing(&ruleset.head, &ruleset.said)?;
    let meant = table.place.meant(&ruleset.ruleset)?;
    let client = table.client().clone().with_ruleset(meant);
    let said = said(&ruleset.said);
    let done = table.change(&ruleset.head, client.change_game_ruleset(&head, &said))?;
    table.tell(&done, ruleset.table.json)
}

fn of_delete(delete: &GameDelete) -> Result<()> {
    let table = Table::open(&delete.server, &delete.access)?;
    let head = table.head(&delete.head)?;
    table.change(&delete.head, table.client().delete_game(&head))?;
    output::line(&format!("the game {} is forgotten", delete.head.game))
}
