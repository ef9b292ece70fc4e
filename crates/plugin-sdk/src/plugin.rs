//! The trait that a plugin implements.

use alamein_plugin_abi as abi;
use alamein_terrain::SightAnswer;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{
    Findings, Line, MapView, Objections, Observations, Problems, Seen, SetUp, SightSurvey, Step,
    Survey,
};

/// A plugin without options.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// A terrain's rules.
///
/// Every method but [`create`](Self::create) and [`prepare`](Self::prepare) may do nothing. All
/// must be pure, for they may be called from several threads, in any order and again.
pub trait TerrainPlugin: Send + Sync + Sized + 'static {
    /// The options, as the manifest's schema has them. The host fills in defaults.
    type Options: DeserializeOwned;
    /// What the plugin keeps of a map.
    type Map: Send + Sync + 'static;

    /// Makes the plugin.
    ///
    /// # Errors
    /// Where it cannot work with these options, in words for whoever set them.
    fn create(options: Self::Options, log: Log) -> Result<Self, String>;

    /// Looks at a map, once, says what is wrong with the plugin's layers, and keeps what it wants.
    fn prepare(&self, map: &MapView<'_>, problems: &mut Problems) -> Self::Map;

    /// Says which lines, steps and set-ups concern the plugin, and how it moves levels.
    fn survey(&self, map: &Self::Map, survey: &mut Survey<'_>);

    /// Whether the plugin says on which lines it speaks where nothing but LOS is wanted. If it does not,
    /// such lines are asked about as [`survey`](Self::survey) says, which takes longer and comes to the
    /// same.
    const SURVEYS_SIGHT: bool = false;

    /// Says on which lines of sight it speaks.
    fn survey_sight(&self, _map: &Self::Map, survey: &mut SightSurvey<'_>) {
        survey.everything();
    }

    /// Whether it answers such lines in short. Only a plugin that surveys may.
    const ANSWERS_SIGHT: bool = false;

    /// What comes of a line of sight on which it speaks, as far as it goes. It must be what the rounds
    /// would say; where that would be more than clear or blocked, it is to be asked.
    fn answer_sight(&self, _map: &Self::Map, _line: &Line<'_>) -> SightAnswer {
        SightAnswer::ASK
    }

    /// Round 1 of a line: facts.
    fn observe(&self, _map: &Self::Map, _line: &Line<'_>, _say: &mut Observations) {}

    /// Round 2 of a line: objections to facts.
    fn object(&self, _map: &Self::Map, _line: &Line<'_>, _seen: &Seen<'_>, _say: &mut Objections) {}

    /// Round 3 of a line: findings.
    fn judge(&self, _map: &Self::Map, _line: &Line<'_>, _seen: &Seen<'_>, _say: &mut Findings) {}

    /// Round 1 of a step: what it costs.
    fn observe_step(&self, _map: &Self::Map, _step: &Step<'_>, _say: &mut Observations) {}

    /// Round 2 of a step: objections to costs.
    fn object_to_step(
        &self,
        _map: &Self::Map,
        _step: &Step<'_>,
        _seen: &Seen<'_>,
        _say: &mut Objections,
    ) {
    }

    /// Round 3 of a step: what is forbidden.
    fn judge_step(
        &self,
        _map: &Self::Map,
        _step: &Step<'_>,
        _seen: &Seen<'_>,
        _say: &mut Findings,
    ) {
    }

    /// Round 1 of a set-up: marks.
    fn observe_setup(&self, _map: &Self::Map, _setup: &SetUp<'_>, _say: &mut Observations) {}

    /// Round 2 of a set-up: objections to marks.
    fn object_to_setup(
        &self,
        _map: &Self::Map,
        _setup: &SetUp<'_>,
        _seen: &Seen<'_>,
        _say: &mut Objections,
    ) {
    }

    /// Round 3 of a set-up: whether it is allowed, and whether a Gun is Emplaced.
    fn judge_setup(
        &self,
        _map: &Self::Map,
        _setup: &SetUp<'_>,
        _seen: &Seen<'_>,
        _say: &mut Findings,
    ) {
    }
}

/// The host's log. What is written there bears the plugin's id.
#[derive(Clone, Copy)]
pub struct Log(*const abi::Host);

// SAFETY: the ABI says that the host's functions may be called from any thread.
#[allow(unsafe_code)]
unsafe impl Send for Log {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Log {}

impl Log {
    /// # Safety
    /// `host` is null or lives as long as the plugin's instance.
    #[doc(hidden)]
    #[allow(unsafe_code)]
    #[must_use]
    pub unsafe fn new(host: *const abi::Host) -> Self {
        Self(host)
    }

    /// Writes an error.
    pub fn error(self, text: &str) {
        self.write(1, text);
    }

    /// Writes a warning.
    pub fn warn(self, text: &str) {
        self.write(2, text);
    }

    /// Writes information.
    pub fn info(self, text: &str) {
        self.write(3, text);
    }

    /// Writes what helps to find a fault.
    pub fn debug(self, text: &str) {
        self.write(4, text);
    }

    #[allow(unsafe_code)]
    fn write(self, level: u32, text: &str) {
        // SAFETY: whoever made this log promised that the host is null or outlives it.
        let Some(host) = (unsafe { self.0.as_ref() }) else {
            return;
        };
        let text = abi::Bytes {
            ptr: text.as_ptr(),
            len: text.len(),
        };
        // SAFETY: the text is borrowed for the length of the call.
        unsafe { (host.log)(host.ctx, level, text) };
    }

    /// Whether the time for this call is up. The SDK asks between lines; only a plugin that
    /// works long on one line need ask itself.
    #[allow(unsafe_code)]
    #[must_use]
    pub fn out_of_time(self) -> bool {
        // SAFETY: whoever made this log promised that the host is null or outlives it.
        match unsafe { self.0.as_ref() } {
            // SAFETY: the host's function takes the host's context.
            Some(host) => unsafe { (host.budget_exhausted)(host.ctx) != 0 },
            None => false,
        }
    }
}
