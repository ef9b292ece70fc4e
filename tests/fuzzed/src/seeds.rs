//! What corpora begin with: the cases, maps, manifests and examples of this repository.

use std::fs;
use std::path::{Path, PathBuf};

use alamein_cases::{Asked, Case};
use alamein_engine::Wanted;
use alamein_maps::MapFile;
use alamein_proto::encode;
use alamein_proto::v1::{
    self, create_ruleset_request as of_ruleset, end, question, render_map_request as of_picture,
    subject, validate_map_request as of_map,
};
use alamein_rulesets::RulesetSpec;
use alamein_terrain::{Position, Question, diff};
use anyhow::{Context, Result};
use prost::Message;

use crate::world::{LIMITS, world};
use crate::{boards, libraries, root};

type Seeds = Result<Vec<Vec<u8>>>;

/// Longer seeds are left out: whoever mutates them mostly mutates what means nothing.
const LONGEST: usize = 6 << 10;

/// The bytes after one that chooses.
fn behind(first: u8, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    [&[first], bytes.as_ref()].concat()
}

/// The files of a folder with this ending, by name.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The repository's cases.
fn cases() -> Result<Vec<Case>> {
    let files = files(&root().join("tests/cases"), "json")?;
    let read = |file: &PathBuf| Ok(alamein_cases::load(file, &world().known)?);
    files.iter().map(read).collect()
}

fn asked(case: &Case) -> Vec<Question> {
    let asked = case.questions.iter().filter_map(|it| match &it.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        Asked::Unanswered | Asked::Unreadable(_) => None,
    });
    asked.collect()
}

fn carried(case: &Case) -> Option<v1::Subject> {
    let mut position = encode::position(&case.position, false);
    position.counters.truncate(LIMITS.max_counters);
    let subject = Some(subject::Subject::Position(position));
    Some(v1::Subject { subject })
}

/// Requests about the cases, of every kind; the first byte is their place in the target's table.
pub(crate) fn requests() -> Seeds {
    let mut seeds = Vec::new();
    let mut put = |which: u8, bytes: Vec<u8>| {
        if bytes.len() <= LONGEST {
            seeds.push(behind(which, bytes));
        }
    };
    for case in cases()? {
        let (grid, subject) = (case.position.map().grid, carried(&case));
        let questions: Vec<v1::Question> = asked(&case)
            .iter()
            .map(|question| encode::question(question, &grid))
            .collect();
        // One of each kind is enough of a case; the rest goes as a batch.
        let mut kinds = std::collections::BTreeSet::new();
        for question in &questions {
            let (which, bytes) = alone(&subject, question);
            if kinds.insert(which) {
                put(which, bytes);
            }
        }
        let few = questions.iter().take(3).cloned().collect();
        let batch = v1::BatchAdjudicateRequest {
            subject: subject.clone(),
            questions: few,
            ..Default::default()
        };
        put(5, batch.encode_to_vec());
        for (which, bytes) in looking(&case, &subject, &batch.questions) {
            put(which, bytes);
        }
        if let Some(subject::Subject::Position(position)) = subject.and_then(|it| it.subject) {
            put(9, creating(&position));
        }
    }
    put(29, applying(&cases()?)?);
    for bytes in others()? {
        put(bytes[0], bytes[1..].to_vec());
    }
    Ok(seeds)
}

/// The first request of a stream of questions, and what is seen from a counter or from the middle of the map, in
/// parts and packed.
fn looking(
    case: &Case,
    subject: &Option<v1::Subject>,
    questions: &[v1::Question],
) -> [(u8, Vec<u8>); 3] {
    let grid = case.position.map().grid;
    let stream = v1::AdjudicateRequest {
        context: Some(v1::AdjudicationContext {
            subject: subject.clone(),
            ..Default::default()
        }),
        questions: questions.to_vec(),
        order: v1::AnswerOrder::AsJudged.into(),
    };
    let from = match case.position.counters().first() {
        Some(counter) => end::End::CounterId(counter.id.to_string()),
        None => end::End::Hex(grid.label(grid.hex_at(grid.len() / 2).unwrap_or_default())),
    };
    let question = Some(v1::FieldOfViewQuestion {
        from: Some(v1::End {
            end: Some(from),
            corner: None,
        }),
        range: Some(3),
    });
    let parts = v1::FieldOfViewRequest {
        subject: subject.clone(),
        question: question.clone(),
        ..Default::default()
    };
    let packed = v1::PackedFieldOfViewRequest {
        subject: subject.clone(),
        question,
        ..Default::default()
    };
    [
        (41, stream.encode_to_vec()),
        (42, parts.encode_to_vec()),
        (43, packed.encode_to_vec()),
    ]
}

/// Changes of every kind that needs no more than a counter: the first of a case that has some.
fn applying(cases: &[Case]) -> Result<Vec<u8>> {
    let mut cases = cases.iter();
    let case = cases.find(|case| !case.position.counters().is_empty());
    let case = case.context("no case has a counter")?;
    let (before, grid) = (&case.position, &case.position.map().grid);
    let empty = Position::new(before.map().clone(), Vec::new(), before.environment())?;
    let changes = [diff(before, &empty), diff(&empty, before)];
    let changes = changes.into_iter().flatten().flatten();
    let request = v1::ApplyChangesRequest {
        subject: carried(case),
        changes: changes.map(|it| encode::change(&it, grid)).collect(),
        ..Default::default()
    };
    Ok(request.encode_to_vec())
}

fn creating(position: &v1::Position) -> Vec<u8> {
    let request = v1::CreatePositionRequest {
        position: Some(position.clone()),
        ..Default::default()
    };
    request.encode_to_vec()
}

/// A question asked alone.
fn alone(subject: &Option<v1::Subject>, asked: &v1::Question) -> (u8, Vec<u8>) {
    use question::Question as Q;
    macro_rules! request {
        ($which:literal, $request:ident, $question:expr) => {{
            let request = v1::$request {
                subject: subject.clone(),
                question: Some($question.clone()),
                options: asked.options.clone(),
                ..Default::default()
            };
            ($which, request.encode_to_vec())
        }};
    }
    match &asked.question {
        Some(Q::LineOfSight(question)) => request!(0, LineOfSightRequest, question),
        Some(Q::LineOfFire(question)) => request!(1, LineOfFireRequest, question),
        Some(Q::FireLane(question)) => request!(2, FireLaneRequest, question),
        Some(Q::Movement(question)) => request!(3, MovementRequest, question),
        Some(Q::SetUp(question)) => request!(4, SetUpRequest, question),
        None => (28, asked.encode_to_vec()),
    }
}

/// Requests about paths, maps, pictures and rulesets.
fn others() -> Seeds {
    let mut seeds = Vec::new();
    let cases = cases()?;
    let case = cases.iter().find(|case| case.id.contains("movement"));
    let case = case.or(cases.first()).context("no case")?;
    let subject = carried(case);
    let mover = Some(v1::Mover {
        class: v1::CounterClass::Tank.into(),
        weight_tons: Some(28.5),
        ..Default::default()
    });
    let enter = |from: &str, to: &str| v1::PathStep {
        step: Some(v1::path_step::Step::Entry(v1::Entry {
            from_hex: from.into(),
            to_hex: to.into(),
            way: 0,
        })),
    };
    let path = v1::PricePathRequest {
        subject: subject.clone(),
        question: Some(v1::PathQuestion {
            mover: mover.clone(),
            steps: vec![enter("P4", "P5"), enter("P5", "P6")],
            allowance: Some(12),
            ec: 0,
        }),
        ..Default::default()
    };
    seeds.push(behind(7, path.encode_to_vec()));
    let reach = v1::ReachableRequest {
        subject,
        question: Some(v1::ReachQuestion {
            mover,
            from_hex: "P5".into(),
            allowance: Some(3),
            ..Default::default()
        }),
        ..Default::default()
    };
    seeds.push(behind(8, reach.encode_to_vec()));
    let map = encode::map(case.position.map());
    let creating = v1::CreateMapRequest {
        map: Some(map.clone()),
        ..Default::default()
    };
    seeds.push(behind(10, creating.encode_to_vec()));
    let checking = v1::ValidateMapRequest {
        source: Some(of_map::Source::Map(map)),
        ..Default::default()
    };
    seeds.push(behind(11, checking.encode_to_vec()));
    let drawing = v1::RenderMapRequest {
        hexes: vec!["P5".into(), "R7".into()],
        subject: Some(of_picture::Subject::Position(encode::position(
            &case.position,
            false,
        ))),
        ..Default::default()
    };
    seeds.push(behind(13, drawing.encode_to_vec()));
    for file in ruleset_texts()? {
        if let Ok(spec) = RulesetSpec::from_toml(&file) {
            let creating = v1::CreateRulesetRequest {
                source: Some(of_ruleset::Source::Spec(encode::ruleset_spec(&spec))),
                ..Default::default()
            };
            seeds.push(behind(14, creating.encode_to_vec()));
        }
    }
    Ok(seeds)
}

/// Bytes from which the first choices are made: there is nothing to be had for them but by trying.
pub(crate) fn questions() -> Seeds {
    // A generator that anybody can write down: the same seeds everywhere.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut byte = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    Ok((0..24)
        .map(|_| (0..400).map(|_| byte()).collect())
        .collect())
}

/// What is ruled on the cases.
pub(crate) fn answers() -> Seeds {
    let world = world();
    let mut seeds = Vec::new();
    for case in cases()? {
        let questions = asked(&case);
        let position = case.position.clone();
        let ruled = world.engine.adjudicate_here(
            &world.ruleset,
            position,
            &questions,
            Wanted {
                other_policies: true,
                ..Wanted::default()
            },
        )?;
        let ruled = questions.iter().zip(ruled).take(2);
        for (question, ruled) in ruled.filter_map(|(asked, ruled)| Some((asked, ruled.ok()?))) {
            let grid = &case.position.map().grid;
            let view = v1::View::Explain;
            let message = encode::ruling(&ruled, question, grid, &world.book, view);
            seeds.push(behind(0, message.encode_to_vec()));
        }
    }
    seeds.retain(|seed| seed.len() <= LONGEST);
    Ok(seeds)
}

/// The repository's map files, and every kind of overlay.
pub(crate) fn map_files() -> Seeds {
    let mut seeds = Vec::new();
    for (which, folder, ending) in [
        (0, "docs/maps", "toml"),
        (0, "crates/maps/tests/files", "toml"),
        (1, "crates/maps/tests/files", "json"),
    ] {
        for file in files(&root().join(folder), ending)? {
            seeds.push(behind(which, fs::read(file)?));
        }
    }
    let texts = [
        "[[board]]\nname = \"27\"\n[[overlay]]\nid = \"D2\"\non = [\"P6\", \"Q6\"]\n",
        "[[overlay]]\nid = \"SD1\"\non = [\"P6\", \"Q6\"]\nover = \"adds\"\nhigh = true\n",
    ];
    seeds.extend(texts.map(|text| behind(0, text)));
    // Each map that a case has, as its file.
    for case in cases()? {
        let file = MapFile::from_map(case.position.map())?;
        seeds.push(behind(0, file.to_toml()?));
    }
    seeds.retain(|seed| seed.len() <= LONGEST);
    Ok(seeds)
}

/// A board of seven hexes: its members as they are inside, and its archive.
pub(crate) fn boards() -> Seeds {
    const METADATA: &str = "<boardMetadata name=\"x1\" width=\"3\" height=\"2\" A1CenterX=\"0\" \
         A1CenterY=\"16\" hexWidth=\"28\" hexHeight=\"32\"/>";
    let (width, height) = (57_i32, 65_i32);
    let mut payload = Vec::new();
    for size in [3, 2, width, height] {
        payload.extend(size.to_be_bytes());
    }
    for x in 0..width {
        for y in 0..height {
            payload.extend([u8::from(x > 30), if y % 20 < 9 { 0 } else { 60 }]);
        }
    }
    payload.extend([0; 7]);
    let length = u16::try_from(METADATA.len())?.to_be_bytes();
    let inside = [&length[..], METADATA.as_bytes(), &payload].concat();
    let los_data = boards::packed(&payload)?;
    let stored = stored(&[
        ("LOSData", &los_data),
        ("BoardMetadata.xml", METADATA.as_bytes()),
    ]);
    Ok(vec![behind(1, inside), behind(0, stored)])
}

/// An archive of files that are not packed any further.
fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let size = u32::try_from(bytes.len()).unwrap_or_default().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap_or_default().to_le_bytes();
        let offset = u32::try_from(archive.len())
            .unwrap_or_default()
            .to_le_bytes();
        // Version, flags, method, time and date; what is common to both headers.
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &crc.sum().to_le_bytes(),
            &size,
            &size,
            &length,
            &[0, 0],
        ]
        .concat();
        archive.extend([b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat());
        let tail = [&[0; 10][..], &offset, name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &tail].concat());
    }
    let start = u32::try_from(archive.len())
        .unwrap_or_default()
        .to_le_bytes();
    let size = u32::try_from(directory.len())
        .unwrap_or_default()
        .to_le_bytes();
    let count = u16::try_from(files.len()).unwrap_or_default().to_le_bytes();
    let end = [
        b"PK\x05\x06\0\0\0\0",
        &count[..],
        &count,
        &size,
        &start,
        &[0, 0],
    ]
    .concat();
    [archive, directory, end].concat()
}

/// The repository's cases, and those of the house rules.
pub(crate) fn case_files() -> Seeds {
    let mut seeds = Vec::new();
    let house = fs::read_dir(root().join("plugins/house-rules"))?;
    let house = house.filter_map(|entry| Some(entry.ok()?.path().join("cases")));
    for folder in house
        .chain([root().join("tests/cases")])
        .filter(|it| it.is_dir())
    {
        for file in files(&folder, "json")? {
            seeds.push(fs::read(file)?);
        }
    }
    seeds.retain(|seed| seed.len() <= LONGEST);
    Ok(seeds)
}

/// The examples of the page about ruleset files.
fn ruleset_texts() -> Result<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/ruleset-files.md"))?;
    let blocks = page.split("```toml\n").skip(1);
    let texts = blocks.filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()));
    Ok(texts.collect())
}

/// Ruleset files, in both forms.
pub(crate) fn ruleset_files() -> Seeds {
    let mut seeds = Vec::new();
    for text in ruleset_texts()? {
        if let Ok(spec) = RulesetSpec::from_toml(&text) {
            seeds.push(behind(1, spec.to_json()?));
        }
        seeds.push(behind(0, text));
    }
    Ok(seeds)
}

/// The plugins' manifests, and a lock.
pub(crate) fn manifests() -> Seeds {
    let mut seeds = Vec::new();
    for folder in ["plugins", "plugins/house-rules"] {
        for entry in fs::read_dir(root().join(folder))? {
            if let Ok(text) = fs::read(entry?.path().join("plugin.json")) {
                seeds.push(behind(0, text));
            }
        }
    }
    seeds.sort();
    seeds.retain(|seed| seed.len() <= 4 * LONGEST);
    let digest = "0123456789abcdef".repeat(4);
    let locked = |id: &str| {
        format!(
            "[[plugin]]\nid = \"{id}\"\ntarget = \"x86_64-unknown-linux-gnu\"\nversion = \
             \"0.1.0\"\nlibrary_sha256 = \"{digest}\"\nmanifest_sha256 = \"{digest}\"\n"
        )
    };
    let lock = format!("version = 1\n{}{}", locked("deir"), locked("sand"));
    seeds.push(behind(1, lock));
    Ok(seeds)
}

/// A small plugin that is built.
pub(crate) fn libraries() -> Seeds {
    let folder = root()
        .join("target/alamein/house-rules")
        .join(libraries::ID);
    let built = files(&folder, "so");
    let built = built.context("build it first: cargo xtask house-rules midday-haze")?;
    built.iter().map(|file| Ok(fs::read(file)?)).collect()
}

/// Scripts: nothing, something of each kind, and bytes at random.
pub(crate) fn sayings() -> Seeds {
    let mut seeds = questions()?;
    // An obstacle in a hex, said once in the first round: texts and status around it are zeros.
    let quiet = [0; 3];
    let observation = [0, 0, 1, 2, 2, 1, 240, 64, 3, 3, 0, 0, 0];
    let said = [&quiet[..], &quiet, &[1, 1, 0], &observation, &[0]].concat();
    seeds.extend([
        behind(0, []),
        behind(1, []),
        behind(0, &said),
        behind(1, &said),
    ]);
    Ok(seeds)
}
