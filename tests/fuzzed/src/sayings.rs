//! What a plugin says across the ABI, byte by byte: structs, tags, indices, counts, pointers.

use std::sync::{Arc, OnceLock};

use alamein_engine::{
    Engine, PrepareError, QuestionError, Ruleset, RulesetConfig, RulesetError, Threads, Wanted,
};
use alamein_hex::{Aim, Direction, Grid, Hex, Hexside};
use alamein_plugin_host::{NativePlugin, rogue};
use alamein_proto::v1::{self, View};
use alamein_proto::{decode, encode};
use alamein_terrain::{
    Ask, Attack, Counter, CounterClass, End, Environment, EnvironmentCondition, Field, LaneMover,
    Layer, Map, Mover, Munition, Position, Question, SetUp, SetUpPiece, Step, Way,
};
use prost::Message as _;

use crate::chosen;
use crate::world::{plugins, threads, world};

/// Bytes become what a plugin says, alone or, since that takes longer, now and then among the others. Either there are rulings, or it is
/// named; and what it says is all that counts, so that twice the same comes to the same.
pub(crate) fn run(bytes: &[u8]) {
    let (which, script) = chosen(bytes);
    let first = said(which, script);
    assert_eq!(first, said(which, script));
}

/// What everything comes to, in words.
fn said(which: u8, script: &[u8]) -> Vec<String> {
    rogue::tell(script);
    let plugins = among(which);
    let ruleset = match Ruleset::build(&plugins, &RulesetConfig::default()) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(RulesetError::Plugin(error)) => {
            assert!(error.to_string().contains("rogue"), "{error}");
            return vec![error.to_string()];
        }
        Err(error) => panic!("{error}: its manifest is in order"),
    };
    static THREADS: OnceLock<Threads> = OnceLock::new();
    let engine = THREADS.get_or_init(threads).engine(ruleset);
    let position = position();
    let wanted = Wanted::default();
    let ruleset = engine.ruleset();
    match engine.adjudicate_here(&ruleset, Arc::clone(position), questions(), wanted) {
        Ok(rulings) => rulings
            .iter()
            .zip(questions())
            .map(|(ruled, question)| match ruled {
                Ok(ruled) => {
                    whole(&engine, ruled, question);
                    format!("{:?}", ruled.ruling)
                }
                Err(QuestionError::Feature(error)) => {
                    assert_eq!(error.plugin(), "rogue", "{error}");
                    error.to_string()
                }
                Err(error) => error.to_string(),
            })
            .collect(),
        Err(PrepareError::Feature(error)) => {
            assert_eq!(error.plugin(), "rogue", "{error}");
            vec![error.to_string()]
        }
        Err(error) => vec![error.to_string()],
    }
}

/// The rogue alone, or among the others.
fn among(which: u8) -> Vec<NativePlugin> {
    static ALL: OnceLock<Vec<NativePlugin>> = OnceLock::new();
    let all = ALL.get_or_init(|| match rogue::plugin() {
        Ok(rogue) => [vec![rogue], plugins()].concat(),
        Err(error) => panic!("{error}"),
    });
    let count = if which % 16 == 1 { all.len() } else { 1 };
    all.iter().take(count).cloned().collect()
}

/// A ruling's message loses nothing of it.
fn whole(engine: &Engine, ruled: &alamein_terrain::Adjudicated, question: &Question) {
    let book = &world().book;
    let grid = &position().map().grid;
    let bytes = encode::ruling(ruled, question, grid, book, View::Explain).encode_to_vec();
    let read = v1::Ruling::decode(&*bytes).map(|message| decode::adjudicated(&message));
    match read {
        Ok(Ok(again)) => assert_eq!(again, *ruled),
        other => panic!("{other:?} is what became of {ruled:?}"),
    }
    assert_eq!(ruled.ruling.rules, engine.ruleset().fingerprint());
}

fn grid() -> Grid {
    match Grid::new(8, 6) {
        Ok(grid) => grid,
        Err(error) => panic!("{error}"),
    }
}

fn at(index: usize) -> Hex {
    grid().hex_at(index).unwrap_or_default()
}

/// A map with something of the rogue's and of others' on it, and counters.
fn position() -> &'static Arc<Position> {
    static POSITION: OnceLock<Arc<Position>> = OnceLock::new();
    POSITION.get_or_init(|| {
        let mut map = Map::flat(grid());
        let hexes = |range: std::ops::Range<usize>| Field::Hexes(range.map(at).collect());
        let layer = |name: &str, field| Layer {
            fields: [(name.to_owned(), field)].into(),
        };
        map.layers
            .insert("murk".into(), layer("hexes", hexes(8..20)));
        map.levels.insert(at(30), 1);
        let counters = vec![
            Counter::new("a", CounterClass::Squad, at(2)),
            Counter::new("b", CounterClass::Tank, at(40)),
            Counter::new("c", CounterClass::Wreck, at(21)),
        ];
        match Position::new(map.into(), counters, Environment::default()) {
            Ok(position) => Arc::new(position),
            Err(error) => panic!("{error}"),
        }
    })
}

/// One question of each kind, and a line that grazes.
fn questions() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    QUESTIONS.get_or_init(|| {
        let counter = |id: &str| End::Counter {
            id: id.to_owned(),
            corner: None,
        };
        let hex = |index, corner| {
            let hex = at(index);
            End::Hex(Aim { hex, corner })
        };
        let from = at(14);
        let beside = Direction::ALL.map(|way| Hexside::of(from, way).hexes());
        let to = beside[0].into_iter().find(|hex| *hex != from);
        let asked = [
            Ask::LineOfSight {
                from: counter("a"),
                to: counter("b"),
            },
            Ask::LineOfFire {
                from: hex(0, None),
                to: hex(44, Some(2)),
                attack: Attack::Direct,
                munition: Munition::Other,
            },
            Ask::FireLane {
                mg: counter("a"),
                counter_hex: at(40),
                mover_hex: at(21),
                mover: LaneMover::Infantry,
            },
            Ask::Movement {
                mover: Mover::new(CounterClass::Tank),
                step: Step::Enter {
                    from,
                    to: to.unwrap_or(from),
                    way: Way::Open,
                },
                ec: Some(EnvironmentCondition::Mud),
            },
            Ask::SetUp(SetUp {
                piece: SetUpPiece::unit(CounterClass::Gun),
                hex: at(12),
            }),
        ];
        asked.map(Question::new).into()
    })
}
