//! A plugin that behaves, from its folder to its findings.

use alamein_plugin_host::Origin;
use alamein_terrain::{
    Budget, CostPart, CounterClass, Effect, Fact, Finding, Objection, Observation, Place, Seen,
    Spoken, TerrainFeature,
};
use futures::executor::block_on;

use crate::support::{Fixture, hex, instantiate, line, lines, map, prepared, seen, step, steps};

#[test]
fn what_was_loaded_says_what_it_is() {
    let built = Fixture::new().build();
    let plugin = built.load().expect("a plugin");
    assert_eq!(
        (plugin.id(), plugin.version(), plugin.build_id()),
        ("fog-bank", "1.2.3", "build")
    );
    assert_eq!(plugin.rules(), ["X1/drm", "X2/thin", "X3/judge"]);
    assert_eq!(plugin.kinds(), ["mist", "fog"], "in the plugin's order");
    assert_eq!(plugin.manifest().artifact, None);
    let Origin::Loaded {
        library,
        sha256,
        generation,
    } = plugin.origin()
    else {
        panic!()
    };
    assert_eq!(*library, built.library().canonicalize().expect("a file"));
    assert_eq!(plugin.digest(), Some(sha256.as_str()));
    assert!(*generation > 0);
}

#[test]
fn a_map_is_surveyed() {
    let prepared = prepared(&["INTEREST=1"]);
    assert_eq!(prepared.problems(), []);
    let concerned = [
        false, false, false, true, false, true, false, false, false, false,
    ];
    assert_eq!(prepared.interest().hexes, concerned);
    assert!(prepared.interest().counters && !prepared.interest().everything);
    assert_eq!(prepared.levels(), concerned.map(i16::from));
}

#[test]
fn a_line_goes_through_three_rounds() {
    let prepared = prepared(&[]);
    let questions = [line("A1", "A2"), line("A1", "A3"), line("A2", "A6")];
    // It is not asked about the second; in the third, there is fog on the way and at the end.
    let batch = lines(&questions, &[0, 2]);

    let observed = block_on(prepared.observe_lines(batch, Budget::default())).expect("round 1");
    let observation = |name| Observation {
        rule: 0,
        place: Place::Hex(hex(name)),
        subject: None,
        fact: Fact::Hindrance { kind: 0, drm: 1 },
        needs_los: false,
    };
    let of_third = |said| Spoken { of: 2, said };
    assert_eq!(
        observed,
        [of_third(observation("A4")), of_third(observation("A6"))]
    );

    let see = |observation, standing| Seen {
        feature: 7,
        observation,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing,
    };
    let both = vec![see(observation("A4"), true), see(observation("A6"), true)];
    let batch_seen = seen(&[vec![], vec![], both]);
    let objected = block_on(prepared.object_to_lines(batch, &batch_seen, Budget::default()));
    let objection = Objection {
        observation: 1,
        rule: 1,
    };
    assert_eq!(
        objected,
        Ok(vec![Spoken {
            of: 2,
            said: objection
        }])
    );

    let left = vec![see(observation("A4"), true), see(observation("A6"), false)];
    let batch_seen = seen(&[vec![], vec![], left]);
    let judged = block_on(prepared.judge_lines(batch, &batch_seen, Budget::default()));
    let effect = Effect::Tem { group: 1, drm: 2 };
    let finding = Finding {
        rule: 2,
        place: Place::Whole,
        subject: None,
        effect,
        cites: [0][..].into(),
    };
    assert_eq!(
        judged,
        Ok(vec![Spoken {
            of: 2,
            said: finding
        }])
    );
}

#[test]
fn a_step_goes_through_three_rounds() {
    let prepared = prepared(&[]);
    let questions = [
        step("A3", "A4", CounterClass::Wreck),
        step("A4", "A5", CounterClass::Squad),
    ];
    let batch = steps(&questions, &[0, 1]);
    let observed = block_on(prepared.observe_steps(batch, Budget::default())).expect("round 1");
    let fact = Fact::Cost {
        part: CostPart::Cot,
        amount: 2,
    };
    let place = Place::Hex(hex("A4"));
    let said = Observation {
        rule: 0,
        place,
        subject: None,
        fact,
        needs_los: false,
    };
    assert_eq!(observed, [Spoken { of: 0, said }]);

    let seen = seen(&[vec![], vec![]]);
    assert_eq!(
        block_on(prepared.object_to_steps(batch, &seen, Budget::default())),
        Ok(vec![])
    );
    let judged = block_on(prepared.judge_steps(batch, &seen, Budget::default())).expect("round 3");
    assert_eq!(judged.len(), 1);
    assert_eq!(
        (judged[0].of, judged[0].said.effect),
        (0, Effect::Prohibited)
    );
}

#[test]
fn options_reach_the_plugin() {
    let plugin = Fixture::new().build().load().expect("a plugin");
    let feature = instantiate(&plugin, false);
    assert_eq!((feature.index(), feature.poison()), (7, None));
    let prepared = block_on(feature.prepare(&map())).expect("a map");
    let observation = Observation {
        rule: 0,
        place: Place::Hex(hex("A6")),
        subject: None,
        fact: Fact::Hindrance { kind: 0, drm: 1 },
        needs_los: false,
    };
    let see = Seen {
        feature: 7,
        observation,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
    };
    let (questions, seen) = ([line("A2", "A6")], seen(&[vec![see]]));
    let objected = prepared.object_to_lines(lines(&questions, &[0]), &seen, Budget::default());
    assert_eq!(block_on(objected), Ok(vec![]), "fog is never thin");
}
