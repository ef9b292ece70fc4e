//! An instance of a plugin: its rules with their options.

use std::fmt;
use std::ptr;
use std::sync::Arc;

use alamein_plugin_abi::{self as abi, Bytes};
use alamein_terrain::{Budget, FeatureError, Manifest, Map, PreparedFeature, TerrainFeature};
use async_trait::async_trait;

use crate::call::Failure;
use crate::error::PluginError;
use crate::last;
use crate::plugin::NativePlugin;
use crate::prepared::NativePrepared;
use crate::services;
use crate::texts::Texts;
use crate::vocabulary::{KindMap, Vocabulary};
use crate::watch::{Doing, Marks, Poison};

/// A plugin's rules with their options, as a ruleset holds them.
///
/// When the plugin panics the instance is out of use: every later call of it, and of what it made
/// of a map, gives [`FeatureError::Poisoned`] at once. So it is when somebody gave up on a call of
/// it ([`Stay::give_up`](crate::Stay::give_up)): then they give [`FeatureError::Overran`].
#[derive(Debug)]
pub struct NativeFeature {
    instance: Arc<Instance>,
}

impl NativeFeature {
    pub(crate) fn create(
        plugin: &NativePlugin,
        options: &serde_json::Value,
        vocabulary: &Vocabulary,
        index: u16,
    ) -> Result<Self, PluginError> {
        let instance = Instance::create(plugin, options, vocabulary, index)?;
        Ok(Self {
            instance: Arc::new(instance),
        })
    }

    /// The plugin.
    #[must_use]
    pub fn plugin(&self) -> &NativePlugin {
        &self.instance.plugin
    }

    /// The feature's place in its ruleset.
    #[must_use]
    pub fn index(&self) -> u16 {
        self.instance.index
    }

    /// What the plugin said when it panicked, if it did. It is out of use then.
    #[must_use]
    pub fn poison(&self) -> Option<&str> {
        match self.instance.marks.poison() {
            Some(Poison::Panicked(message)) => Some(message),
            Some(Poison::Overran(_)) | None => None,
        }
    }
}

#[async_trait]
impl TerrainFeature for NativeFeature {
    fn manifest(&self) -> &Manifest {
        self.instance.plugin.manifest()
    }

    fn rules(&self) -> &[String] {
        self.instance.plugin.rules()
    }

    fn failure(&self) -> Option<String> {
        self.instance.marks.poison().map(|poison| match poison {
            Poison::Panicked(message) => format!("it panicked: {message}"),
            Poison::Overran(doing) => format!("it did not come back while {doing}"),
        })
    }

    async fn prepare(&self, map: &Map) -> Result<Arc<dyn PreparedFeature>, FeatureError> {
        let prepared = NativePrepared::new(&self.instance, map)?;
        Ok(Arc::new(prepared))
    }
}

/// What `create` made, with all that calls of it need. It lives as long as anything that was made
/// of it.
pub(crate) struct Instance {
    pub(crate) plugin: NativePlugin,
    pub(crate) kinds: KindMap,
    pub(crate) index: u16,
    /// For each rule, whether the manifest names an option for it.
    pub(crate) contested: Vec<bool>,
    made: abi::Instance,
    pub(crate) marks: Arc<Marks>,
}

// SAFETY: the ABI says that an instance may be used from any thread, and from several at once;
// `destroy`, which may not, is called when nothing else uses the instance.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

impl Instance {
    fn create(
        plugin: &NativePlugin,
        options: &serde_json::Value,
        vocabulary: &Vocabulary,
        index: u16,
    ) -> Result<Self, PluginError> {
        let kinds = KindMap::new(plugin, vocabulary)?;
        let options = options.to_string();
        let options = Bytes {
            ptr: options.as_ptr(),
            len: options.len(),
        };
        let mut made = ptr::null_mut();
        let create = plugin.table().create;
        let marks = Marks::new(plugin.id());
        let texts = Texts::of_errors(&marks);
        let status = services::during(&marks, Doing::Create, Budget::default(), || {
            // SAFETY: all arguments live as long as the call, the host's services for ever.
            texts.lent(|sink| unsafe { create(plugin.host(), options, &mut made, sink) })
        });
        let called = Failure::of(status, &mut texts.taken(), None, Budget::default());
        called.map_err(|failure| {
            let plugin = plugin.id().to_owned();
            match failure {
                Failure::Failed(why) => PluginError::NotCreated { plugin, why },
                Failure::Panicked(why) => PluginError::CreateFailed {
                    plugin,
                    why: format!("it panicked: {why}"),
                },
                Failure::Rubbish(why) => PluginError::CreateFailed {
                    plugin,
                    why: format!("it answered rubbish: {why}"),
                },
                Failure::OutOfTime => PluginError::CreateFailed {
                    plugin,
                    why: "time was up".into(),
                },
            }
        })?;
        Ok(Self::made_of(plugin, kinds, index, made, marks))
    }

    /// What `create` made.
    pub(crate) fn made_of(
        plugin: &NativePlugin,
        kinds: KindMap,
        index: u16,
        made: abi::Instance,
        marks: Arc<Marks>,
    ) -> Self {
        let has_option = |rule: &String| {
            plugin
                .manifest()
                .rule(rule)
                .is_some_and(|rule| rule.option.is_some())
        };
        let contested = plugin.rules().iter().map(has_option).collect();
        Self {
            plugin: plugin.clone(),
            kinds,
            index,
            contested,
            made,
            marks,
        }
    }

    /// Puts it out of use, so that nothing of it is called again, not even to end it.
    pub(crate) fn set_aside(&self, why: &str) {
        self.marks.put_out_of_use(Poison::Panicked(why.to_owned()));
    }

    /// What the plugin made, for its functions.
    pub(crate) fn made(&self) -> abi::Instance {
        self.made
    }

    /// Whether it may still be called.
    pub(crate) fn usable(&self) -> Result<(), FeatureError> {
        let plugin = || self.plugin.id().to_owned();
        match self.marks.poison() {
            None => Ok(()),
            Some(Poison::Panicked(message)) => Err(FeatureError::Poisoned {
                plugin: plugin(),
                message: message.clone(),
            }),
            Some(Poison::Overran(doing)) => Err(FeatureError::Overran {
                plugin: plugin(),
                doing: (*doing).to_owned(),
            }),
        }
    }

    /// Whether the plugin panicked or never came back, so that nothing of it may be called again.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.marks.poison().is_some()
    }

    /// Reports a failure. A panic puts the instance out of use.
    pub(crate) fn failed(&self, failure: Failure) -> FeatureError {
        if let Failure::Panicked(message) = &failure {
            self.marks.put_out_of_use(Poison::Panicked(message.clone()));
        }
        failure.of_feature(self.plugin.id())
    }
}

/// Makes a last call, of which the status is all that is known.
pub(crate) fn last_call(
    plugin: &NativePlugin,
    marks: &Marks,
    doing: Doing,
    call: impl FnOnce() -> abi::Status,
) {
    // What a panic left behind is not touched again, not even to free it.
    if marks.poison().is_some() {
        return;
    }
    let status = services::during(marks, doing, Budget::default(), call);
    let name = match doing {
        Doing::Release => "release",
        _ => "destroy",
    };
    if status == abi::PANICKED {
        marks.put_out_of_use(Poison::Panicked(format!("in {name}")));
    }
    if status != abi::OK {
        let plugin = plugin.id();
        tracing::warn!(
            plugin,
            status,
            "{name} failed; what it held is left as it is"
        );
    }
}

/// An instance on its way to the thread that destroys it.
struct Made(abi::Instance);

impl Made {
    /// It, whole: a closure would take the pointer alone, which is not [`Send`].
    fn whole(self) -> Self {
        self
    }
}

// SAFETY: the ABI says that it may be used from any thread.
unsafe impl Send for Made {}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.is_poisoned() {
            return;
        }
        let (plugin, marks) = (self.plugin.clone(), Arc::clone(&self.marks));
        let made = Made(self.made);
        last::call(move || {
            let Made(made) = made.whole();
            let destroy = plugin.table().destroy;
            // SAFETY: `create` made it, this is the last use of it, and all that was made of it has
            // been released, for that holds on to the instance.
            let destroy = || unsafe { destroy(made) };
            last_call(&plugin, &marks, Doing::Destroy, destroy);
        });
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("plugin", &self.plugin)
            .field("index", &self.index)
            .field("poison", &self.marks.poison())
            .finish_non_exhaustive()
    }
}
