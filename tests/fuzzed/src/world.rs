//! The rules by which targets judge: all seven plugins, linked, and their words.

use std::sync::{Arc, OnceLock};

use alamein_cases::Known;
use alamein_engine::{
    Engine, EngineConfig, PrepareError, QuestionError, Ruleset, RulesetConfig, Threads, Wanted,
};
use alamein_plugin_host::NativePlugin;
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::View;
use alamein_proto::{Limits, decode, encode};
use alamein_terrain::{Canon, Position, Question};
use prost::Message as _;

/// How much is read: what fits is judged in a moment.
pub(crate) const LIMITS: Limits = Limits {
    max_hexes: 600,
    max_counters: 24,
    max_changes: 100,
    max_steps: 6,
    max_probes: 4,
    max_text: 64,
};

/// How many questions of one input are judged.
pub(crate) const QUESTIONS: usize = 4;

/// What every target shares.
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) ruleset: Arc<Ruleset>,
    pub(crate) book: RuleBook,
    pub(crate) known: Known,
}

/// The plugins.
pub(crate) fn plugins() -> Vec<NativePlugin> {
    let descriptors = [
        &alamein_deir::alamein_plugin_deir,
        &alamein_entrenchment::alamein_plugin_entrenchment,
        &alamein_ground::alamein_plugin_ground,
        &alamein_hillock::alamein_plugin_hillock,
        &alamein_sand::alamein_plugin_sand,
        &alamein_sight::alamein_plugin_sight,
        &alamein_vehicle::alamein_plugin_vehicle,
    ];
    let linked = descriptors.map(NativePlugin::linked);
    linked.into_iter().filter_map(Result::ok).collect()
}

/// Threads for an engine. Targets judge on their own.
pub(crate) fn threads() -> Threads {
    let config = EngineConfig {
        threads: 1,
        ..EngineConfig::default()
    };
    match Threads::with(config) {
        Ok(threads) => threads,
        Err(error) => panic!("no threads: {error}"),
    }
}

/// The world, made once.
pub(crate) fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let plugins = plugins();
        assert_eq!(plugins.len(), 7, "a plugin is not what it says it is");
        let ruleset = match Ruleset::build(&plugins, &RulesetConfig::default()) {
            Ok(ruleset) => Arc::new(ruleset),
            Err(error) => panic!("no ruleset: {error}"),
        };
        let manifests = || ruleset.members().iter().map(|member| member.manifest());
        World {
            engine: threads().engine(Arc::clone(&ruleset)),
            book: RuleBook::new(manifests()),
            known: Known::of(manifests()),
            ruleset,
        }
    })
}

/// The canonical bytes of a question.
pub(crate) fn canonical(question: &Question) -> Vec<u8> {
    let mut canon = Canon::default();
    canon.put(question);
    canon.into_bytes()
}

impl World {
    /// Judges questions about a position. What comes of them is the same whoever is asked, and its
    /// message loses nothing.
    pub(crate) fn judge(&self, position: &Arc<Position>, questions: &[Question]) {
        let questions = &questions[..questions.len().min(QUESTIONS)];
        let ask = |ask_everyone| {
            let wanted = Wanted {
                other_policies: true,
                ask_everyone,
                ..Wanted::default()
            };
            let position = Arc::clone(position);
            self.engine
                .adjudicate_here(&self.ruleset, position, questions, wanted)
        };
        let (concerned, everyone) = (ask(false), ask(true));
        let (concerned, everyone) = match (concerned, everyone) {
            (Ok(concerned), Ok(everyone)) => (concerned, everyone),
            (Err(one), Err(other)) => {
                assert_eq!(one, other);
                assert!(!matches!(one, PrepareError::Feature(_)), "{one}");
                return;
            }
            (one, other) => panic!("{one:?}, and where everyone is asked {other:?}"),
        };
        assert_eq!(concerned, everyone);
        assert_eq!(concerned.len(), questions.len());
        let grid = &position.map().grid;
        for (ruled, question) in concerned.iter().zip(questions) {
            let ruled = match ruled {
                Ok(ruled) => ruled,
                Err(error) => {
                    let failed = matches!(error, QuestionError::Feature(_));
                    assert!(!failed, "{error} of {question:?}");
                    continue;
                }
            };
            let message = encode::ruling(ruled, question, grid, &self.book, View::Explain);
            let bytes = message.encode_to_vec();
            let read = alamein_proto::v1::Ruling::decode(&*bytes);
            let back = read.map(|message| decode::adjudicated(&message));
            match back {
                Ok(Ok(back)) => assert_eq!(back, *ruled),
                other => panic!("{other:?} is what became of {ruled:?}"),
            }
        }
    }
}
