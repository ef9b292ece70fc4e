//! Loaded or linked, a plugin answers the same.

use alamein_plugin_abi::Descriptor;
use alamein_plugin_host::{NativePlugin, Origin};
use alamein_terrain::{Budget, TerrainFeature};
use futures::executor::block_on;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::support::{Built, Fixture, instantiate, line, lines, map};

/// The fixture as a part of this program, which keeps it open for ever.
fn linked(built: &Built) -> NativePlugin {
    // SAFETY: the fixture does nothing when it is opened.
    let library = unsafe { Library::open(Some(built.library()), RTLD_NOW | RTLD_LOCAL) };
    let library = Box::leak(Box::new(library.expect("a library")));
    // SAFETY: the fixture exports this, and it stays.
    let descriptor: &'static Descriptor = unsafe {
        let symbol = library.get::<*const Descriptor>("alamein_plugin_fog_bank");
        &**symbol.expect("a descriptor")
    };
    NativePlugin::linked(descriptor).expect("a plugin")
}

#[test]
fn both_modes_answer_the_same() {
    let built = Fixture::new().build();
    let (loaded, linked) = (built.load().expect("a plugin"), linked(&built));
    assert!(matches!(loaded.origin(), Origin::Loaded { .. }));
    assert_eq!(linked.origin(), &Origin::Linked);
    assert_eq!(loaded.manifest(), linked.manifest());
    assert_eq!(loaded.rules(), linked.rules());
    assert_eq!(loaded.kinds(), linked.kinds());
    assert_eq!(loaded.build_id(), linked.build_id());

    let questions = [line("A1", "A4"), line("A3", "A9")];
    let batch = lines(&questions, &[0, 1]);
    let [one, other] = [loaded, linked].map(|plugin| {
        let prepared = block_on(instantiate(&plugin, true).prepare(&map())).expect("a map");
        let observed = block_on(prepared.observe_lines(batch, Budget::default()));
        (
            prepared.interest().clone(),
            prepared.levels().to_vec(),
            observed,
        )
    });
    assert_eq!(one, other);
    assert_eq!(one.2.map(|observed| observed.len()), Ok(3));
}
