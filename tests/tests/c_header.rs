//! The C header says what the ABI is: it compiles as C and as C++, every struct lies in memory as
//! Rust has it, and its numbers are those of the game's words.

use std::fmt::Write as _;
use std::fs;
use std::mem::offset_of;

use alamein_plugin_abi as abi;
use alamein_terrain::{
    Attack, Concealment, CounterClass, CounterFlags, EnvironmentCondition, Fortification,
    GrazingPolicy, GroundPressure, LaneMover, Munition, Purpose, Way,
};
use alamein_tests::compiler::{INCLUDE, Language, compile};
use alamein_tests::root;
use anyhow::{Context, Result};

/// How a struct lies in memory: its name, size and alignment, and each field with its offset.
struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    fields: Vec<(&'static str, usize)>,
}

/// The layouts of structs of the ABI. A field that is left out does not compile.
macro_rules! layouts {
    ($($name:ident { $($field:ident),* $(,)? })*) => {{
        $(
            const _: fn(&abi::$name) = |all| {
                let abi::$name { $($field: _),* } = all;
            };
        )*
        vec![$(Layout {
            name: stringify!($name),
            size: size_of::<abi::$name>(),
            align: align_of::<abi::$name>(),
            fields: vec![$((stringify!($field), offset_of!(abi::$name, $field))),*],
        }),*]
    }};
}

#[rustfmt::skip]
fn layouts() -> Vec<Layout> {
    layouts! {
        Bytes { ptr, len }
        Array { ptr, len, stride }
        HexCoord { q, r }
        TextSink { ctx, write }
        Sink { ctx, push, error }
        Host { struct_size, ctx, log, budget_exhausted }
        MapView { struct_size, columns, rows, reserved, hexes, base_levels, names, layers }
        LayerView { name, fields }
        FieldView { name, kind, reserved, hexes, values }
        CounterView { hex, class, flags, side, aboard, level, probe }
        AttributeView { counter, name, value }
        EndView { hex, corner, counter, class, flags, side, level, aboard }
        TouchView { hex, contact, readings }
        CrossingView { from, to }
        LineView {
            origin, flags, purpose, attack, policy, range, from, to, touched, left, right,
            counters, lane_hex, lane_mover, lane_probe, munition
        }
        LineBatch {
            struct_size, lines, counters, levels, attributes, attribute_names, ec, reserved
        }
        StepView {
            from, to, class, ground_pressure, weight_kg, british_built, ec, kind, way, hexsides,
            entered_known, entered_from
        }
        StepBatch {
            struct_size, steps, counters, levels, attributes, attribute_names, ec, reserved
        }
        SetUpView { hex, class, fortification, beneath, concealment }
        SetUpBatch {
            struct_size, setups, counters, levels, attributes, attribute_names, ec, reserved
        }
        PlaceView { tag, a, b }
        Observation { of, rule, fact, kind, value, flags, subject, place, floor, times, order }
        Objection { of, rule, observation }
        Finding { of, rule, effect, kind, value, subject, place, cites }
        SeenObservation { fact, kind, value, flags, subject, place, rule }
        SeenObjection { observation, rule }
        SeenView { observations, objections }
        SightAnswer { verdict, contested_by, hinders, sets_aside, contested }
        Descriptor {
            magic, abi_major, abi_minor, struct_size, panic_strategy, rule_count, kind_count,
            reserved, id, version, target, build_id, manifest, rules, kinds, table
        }
        Table {
            struct_size, create, destroy, prepare, release, survey, observe_lines,
            object_to_lines, judge_lines, observe_steps, object_to_steps, judge_steps,
            observe_setups, object_to_setups, judge_setups, survey_sight, sight_lines
        }
    }
}

/// A source that does not compile unless the header agrees.
fn assertions() -> Result<String> {
    let mut source = String::new();
    for header in ["alamein.h", "assert.h", "stdalign.h"] {
        writeln!(source, "#include \"{header}\"")?;
    }
    for layout in layouts() {
        let name = layout.name;
        let mut claim = |what: String, is: usize| {
            writeln!(source, "static_assert({what} == {is}, \"{name}\");")
        };
        claim(format!("sizeof(Alamein{name})"), layout.size)?;
        claim(format!("alignof(Alamein{name})"), layout.align)?;
        for (field, offset) in layout.fields {
            // A word that C++ keeps for itself has an underscore in the header.
            let spelt = if field == "class" { "class_" } else { field };
            claim(format!("offsetof(Alamein{name}, {spelt})"), offset)?;
        }
    }
    // What the header adds of its own is compiled too.
    source.push_str(
        "ALAMEIN_EXPORT const AlameinBytes exported = ALAMEIN_TEXT(\"text\");\n\
         static_assert(sizeof(\"text\") - 1 == 4, \"text\");\n\
         const void *third(AlameinArray array);\n\
         const void *third(AlameinArray array) { return alamein_at(array, 2); }\n",
    );
    Ok(source)
}

#[test]
fn every_struct_lies_in_memory_as_rust_has_it() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (file, language) in [("layout.c", Language::C11), ("layout.cpp", Language::Cpp17)] {
        let source = folder.path().join(file);
        fs::write(&source, assertions()?)?;
        compile(language, &source, &root().join(INCLUDE), &[])?;
    }
    Ok(())
}

#[test]
fn a_struct_that_lies_otherwise_does_not_compile() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("layout.c");
    let wrong = assertions()?.replace("offsetof(AlameinFinding, cites) == 40", "0");
    fs::write(&source, &wrong)?;
    let error = compile(Language::C11, &source, &root().join(INCLUDE), &[])
        .err()
        .context("it compiled")?;
    assert!(format!("{error:#}").contains("Finding"), "{error:#}");
    Ok(())
}

#[test]
fn the_plugins_in_c_are_written_without_extensions() -> Result<()> {
    // What `alamein plugin build` defines.
    let facts = [
        "PLUGIN_ID",
        "PLUGIN_VERSION",
        "PLUGIN_MANIFEST",
        "TARGET",
        "BUILD_ID",
    ];
    let mut arguments = facts
        .map(|fact| format!("-DALAMEIN_{fact}=\"\"").into())
        .to_vec();
    arguments.push("-fsyntax-only".into());
    for plugin in ["plugins/house-rules/midday-haze", "tests/old-abi/wells"] {
        let source = root().join(plugin).join("plugin.c");
        compile(Language::C11, &source, &root().join(INCLUDE), &arguments)?;
    }
    Ok(())
}

#[test]
fn no_struct_is_left_out() -> Result<()> {
    let header = fs::read_to_string(root().join(INCLUDE).join("alamein.h"))?;
    let struct_name = |line: &str| {
        let name = line.strip_prefix("} Alamein")?.strip_suffix(';')?;
        Some(name.to_owned())
    };
    let mut held: Vec<String> = header.lines().filter_map(struct_name).collect();
    let mut known: Vec<String> = layouts().iter().map(|l| l.name.to_owned()).collect();
    held.sort();
    known.sort();
    assert_eq!(held, known);
    Ok(())
}

/// The numbers of a type's variants, and those of the ABI.
macro_rules! numbers {
    ($($type:ident { $($variant:ident = $number:ident),* $(,)? })*) => {
        [$($(($type::$variant as u32, abi::$number, stringify!($number)),)*)*]
    };
}

#[test]
fn the_numbers_are_those_of_the_words() {
    let classes = [
        abi::CLASS_SQUAD,
        abi::CLASS_HALF_SQUAD,
        abi::CLASS_LEADER,
        abi::CLASS_CREW,
        abi::CLASS_GUN,
        abi::CLASS_CAVALRY,
        abi::CLASS_WAGON,
        abi::CLASS_MOTORCYCLE,
        abi::CLASS_ARMORED_CAR,
        abi::CLASS_TANK,
        abi::CLASS_HALFTRACK,
        abi::CLASS_TRUCK,
        abi::CLASS_WRECK,
    ];
    assert_eq!(CounterClass::ALL.map(|class| class as u32), classes);
    let flags = [
        abi::FLAG_ENTRENCHED,
        abi::FLAG_EMPLACED,
        abi::FLAG_CREW_EXPOSED,
        abi::FLAG_BURNING,
        abi::FLAG_IN_MOTION,
        abi::FLAG_ABANDONED,
        abi::FLAG_DUG_IN,
        abi::FLAG_UNARMORED,
    ];
    assert_eq!(CounterFlags::NAMED.map(|(_, flag)| flag.bits()), flags);

    #[rustfmt::skip]
    let others = numbers! {
        EnvironmentCondition { Dry = EC_DRY, Moist = EC_MOIST, Wet = EC_WET, Mud = EC_MUD, Snow = EC_SNOW }
        Purpose { Sight = PURPOSE_SIGHT, Fire = PURPOSE_FIRE, Lane = PURPOSE_LANE }
        Attack { Direct = ATTACK_DIRECT, Mortar = ATTACK_MORTAR, Oba = ATTACK_OBA }
        Munition { Other = MUNITION_OTHER, He = MUNITION_HE, Bombardment = MUNITION_BOMBARDMENT }
        GrazingPolicy {
            Either = POLICY_EITHER, Both = POLICY_BOTH,
            NeitherIfGrazing = POLICY_NEITHER_IF_GRAZING,
        }
        LaneMover {
            Infantry = LANE_INFANTRY, Cavalry = LANE_CAVALRY, Vehicle = LANE_VEHICLE,
            VulnerablePrc = LANE_VULNERABLE_PRC,
        }
        GroundPressure { Low = PRESSURE_LOW, Normal = PRESSURE_NORMAL, High = PRESSURE_HIGH }
        Way { Open = WAY_OPEN, Track = WAY_TRACK, Road = WAY_ROAD }
        Concealment {
            Unconcealed = CONCEALMENT_NONE, Concealed = CONCEALMENT_CONCEALED,
            Hidden = CONCEALMENT_HIDDEN,
        }
        Fortification {
            Foxhole = FORTIFICATION_FOXHOLE, Trench = FORTIFICATION_TRENCH,
            Pillbox = FORTIFICATION_PILLBOX, Sangar = FORTIFICATION_SANGAR,
            Wire = FORTIFICATION_WIRE, Mines = FORTIFICATION_MINES,
        }
    };
    for (word, number, name) in others {
        assert_eq!(word, number, "{name}");
    }
}
