//! The API as its protos have it, with their comments.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use prost_reflect::{
    DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor,
    MethodDescriptor, Value,
};

/// The package of the API.
pub(super) const PACKAGE: &str = "alamein.v1";

/// What stands before the name of each reason of an error.
pub(super) const REASON: &str = "ERROR_REASON_";

/// The API.
pub(super) struct Api {
    pool: DescriptorPool,
    /// The comment on each thing, by its file and its path within it.
    comments: BTreeMap<(String, Vec<i32>), String>,
    /// The messages that a request may hold, by their full names.
    asked: BTreeSet<String>,
    /// Those that an answer may.
    told: BTreeSet<String>,
    /// Where each name is that a comment may use: a page and an anchor.
    places: BTreeMap<String, (String, String)>,
}

impl Api {
    /// Reads the protos.
    ///
    /// # Errors
    /// Where one cannot be read or makes no sense.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let protos = root.join("proto");
        let folder = protos.join(PACKAGE.replace('.', "/"));
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == "proto") {
                files.push(path);
            }
        }
        files.sort();
        let mut compiler = protox::Compiler::new([&protos])?;
        compiler.include_imports(true).include_source_info(true);
        compiler.open_files(&files)?;
        Ok(Self::of(compiler.descriptor_pool()))
    }

    pub(super) fn of(pool: DescriptorPool) -> Self {
        let mut comments = BTreeMap::new();
        for file in pool.files() {
            let proto = file.file_descriptor_proto();
            for location in proto.source_code_info.iter().flat_map(|it| &it.location) {
                if let Some(text) = &location.leading_comments {
                    let at = (file.name().to_owned(), location.path.clone());
                    comments.insert(at, text.clone());
                }
            }
        }
        let mut api = Self {
            pool,
            comments,
            asked: BTreeSet::new(),
            told: BTreeSet::new(),
            places: BTreeMap::new(),
        };
        let methods: Vec<_> = api.methods().collect();
        for method in methods {
            within(&method.input(), &mut api.asked);
            within(&method.output(), &mut api.told);
        }
        api.places = api.find_places();
        api
    }

    /// The files of the API, without those that they import from elsewhere.
    pub(super) fn files(&self) -> impl Iterator<Item = FileDescriptor> {
        self.pool
            .files()
            .filter(|file| file.package_name() == PACKAGE)
    }

    pub(super) fn methods(&self) -> impl Iterator<Item = MethodDescriptor> {
        self.files().flat_map(|file| {
            let services: Vec<_> = file.services().collect();
            services
                .into_iter()
                .flat_map(|service| service.methods().collect::<Vec<_>>())
        })
    }

    pub(super) fn messages(&self) -> impl Iterator<Item = MessageDescriptor> {
        self.files()
            .flat_map(|file| file.messages().collect::<Vec<_>>())
    }

    pub(super) fn enums(&self) -> impl Iterator<Item = EnumDescriptor> {
        self.files()
            .flat_map(|file| file.enums().collect::<Vec<_>>())
    }

    /// The comment on what is at a path of a file; empty if there is none.
    pub(super) fn comment(&self, file: &FileDescriptor, path: &[i32]) -> String {
        let comment = self
            .comments
            .get(&(file.name().to_owned(), path.to_owned()));
        let lines = comment.map_or("", String::as_str).lines();
        let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// Whether a request may hold a message.
    pub(super) fn is_asked(&self, message: &MessageDescriptor) -> bool {
        self.asked.contains(message.full_name())
    }

    /// Whether an answer may.
    pub(super) fn is_told(&self, message: &MessageDescriptor) -> bool {
        self.told.contains(message.full_name())
    }

    /// The scope that a method needs, as tokens have it: `maps:write`.
    pub(super) fn scope(&self, method: &MethodDescriptor) -> Option<String> {
        let extension = self
            .pool
            .get_extension_by_name(&format!("{PACKAGE}.scope"))?;
        let options = method.options();
        let number = match &*options.get_extension(&extension) {
            Value::EnumNumber(number) => *number,
            _ => return None,
        };
        let scopes = self.pool.get_enum_by_name(&format!("{PACKAGE}.Scope"))?;
        let scope = scopes.get_value(number)?;
        let comment = self.comment(&scopes.parent_file(), scope.path());
        comment.split('`').nth(1).map(str::to_owned)
    }

    /// Where something of this name is: `Counter`, `GetMap`, `Counter.known_to`, `UNKNOWN_HEX`.
    pub(super) fn place(&self, name: &str) -> Option<(&str, &str)> {
        let place = self.places.get(name).or_else(|| {
            let (owner, _) = name.split_once('.')?;
            self.places.get(owner)
        })?;
        Some((&place.0, &place.1))
    }

    fn find_places(&self) -> BTreeMap<String, (String, String)> {
        let mut places = BTreeMap::new();
        let mut add = |name: &str, file: &FileDescriptor, heading: &str| {
            let place = (page_of(file), heading.to_lowercase());
            places.entry(name.to_owned()).or_insert(place);
        };
        // A message before a method, where both have the name.
        for message in self.messages() {
            add(message.name(), &message.parent_file(), message.name());
        }
        for of_enum in self.enums() {
            let (file, name) = (of_enum.parent_file(), of_enum.name());
            add(name, &file, name);
            for value in of_enum.values() {
                match value.name().strip_prefix(REASON) {
                    Some(reason) => add(reason, &file, reason),
                    None => add(value.name(), &file, name),
                }
            }
        }
        for method in self.methods() {
            let (file, service) = (method.parent_file(), method.parent_service().clone());
            add(service.name(), &file, service.name());
            let whole = format!("{}.{}", service.name(), method.name());
            add(&whole, &file, method.name());
            add(method.name(), &file, method.name());
        }
        places
    }
}

/// The name of the page that a file makes.
pub(super) fn page_of(file: &FileDescriptor) -> String {
    format!("{}.md", stem(file))
}

/// The name of a file without its folder and its ending.
pub(super) fn stem(file: &FileDescriptor) -> &str {
    let name = file.name();
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    name.strip_suffix(".proto").unwrap_or(name)
}

/// The oneof that a field stands in, unless it is the one that `optional` makes.
pub(super) fn oneof_of(field: &FieldDescriptor) -> Option<prost_reflect::OneofDescriptor> {
    field
        .containing_oneof()
        .filter(|oneof| !oneof.is_synthetic())
}

/// Adds a message and all that it may hold.
fn within(message: &MessageDescriptor, found: &mut BTreeSet<String>) {
    if !found.insert(message.full_name().to_owned()) {
        return;
    }
    for field in message.fields() {
        if let Kind::Message(held) = field.kind() {
            within(&held, found);
        }
    }
}
