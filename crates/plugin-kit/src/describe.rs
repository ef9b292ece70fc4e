//! Reading a plugin's descriptor out of its library without running any of it.
//!
//! A library is laid out in memory as the system would, with every pointer that the system would
//! fill in, and read from there. What is not ELF, or is for another byte order, is not read.

use std::collections::BTreeMap;

use alamein_plugin_abi::{Descriptor, REQUIRED_FUNCTIONS};
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSegment, ObjectSymbol, RelocationFlags, SymbolIndex};

/// The longest text that is read.
const TEXT: u64 = 1 << 20;
/// The most names that are read.
const NAMES: u32 = 4096;

/// What a descriptor says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The symbol by which it is exported.
    pub symbol: String,
    /// What it begins with.
    pub magic: u64,
    /// The major number of its ABI.
    pub abi_major: u32,
    /// The minor number of its ABI.
    pub abi_minor: u32,
    /// How long it says it is.
    pub struct_size: u64,
    /// What becomes of a panic: a number of the ABI.
    pub panic_strategy: u32,
    /// A field that is zero.
    pub reserved: u32,
    /// The plugin's id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The target triple.
    pub target: String,
    /// The text that tells builds apart.
    pub build_id: String,
    /// The manifest within the library.
    pub manifest: String,
    /// The ids of its rules.
    pub rules: Vec<String>,
    /// Its kinds.
    pub kinds: Vec<String>,
    /// How long its table of functions says it is.
    pub table_size: u64,
    /// The numbers of the functions that are null and must not be, counted from 1.
    pub null_functions: Vec<usize>,
    /// How many functions run as soon as the library is opened.
    pub constructors: usize,
}

/// Why a descriptor is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDescribed {
    /// There is none.
    #[error("it exports no {0}")]
    NoSymbol(String),
    /// It does not begin as one. What it begins with.
    #[error("its descriptor begins with {0:#018x}")]
    NoDescriptor(u64),
    /// It is of another ABI, of which nothing more is known.
    #[error("it speaks ABI {0}.{1}")]
    OtherAbi(u32, u32),
    /// Something in it cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// Reads the descriptor of the plugin of that id.
///
/// # Errors
/// Why there is none that can be read.
pub fn describe(library: &[u8], id: &str) -> Result<Described, NotDescribed> {
    let image = Image::read(library)?;
    let symbol = format!("alamein_plugin_{}", id.replace('-', "_"));
    let found = image
        .elf
        .dynamic_symbols()
        .find(|it| it.is_definition() && it.is_global() && it.name() == Ok(symbol.as_str()));
    let at = found.ok_or_else(|| NotDescribed::NoSymbol(symbol.clone()))?;
    descriptor(&image, at.address(), symbol)
}

fn descriptor(image: &Image<'_>, at: u64, symbol: String) -> Result<Described, NotDescribed> {
    let field = |offset: usize| at + offset as u64;
    let word = |offset| image.word(field(offset), "the descriptor");
    let number = |offset| image.number(field(offset), "the descriptor");
    let magic = word(std::mem::offset_of!(Descriptor, magic))?;
    if magic != alamein_plugin_abi::MAGIC {
        return Err(NotDescribed::NoDescriptor(magic));
    }
    let abi_major = number(std::mem::offset_of!(Descriptor, abi_major))?;
    let abi_minor = number(std::mem::offset_of!(Descriptor, abi_minor))?;
    if abi_major != alamein_plugin_abi::ABI_MAJOR {
        return Err(NotDescribed::OtherAbi(abi_major, abi_minor));
    }
    let text = |offset, what: &str| image.text(field(offset), what);
    let rule_count = number(std::mem::offset_of!(Descriptor, rule_count))?;
    let kind_count = number(std::mem::offset_of!(Descriptor, kind_count))?;
    let table = word(std::mem::offset_of!(Descriptor, table))?;
    let (table_size, null_functions) = functions(image, table)?;
    Ok(Described {
        magic,
        abi_major,
        abi_minor,
        struct_size: word(std::mem::offset_of!(Descriptor, struct_size))?,
        panic_strategy: number(std::mem::offset_of!(Descriptor, panic_strategy))?,
        reserved: number(std::mem::offset_of!(Descriptor, reserved))?,
        id: text(std::mem::offset_of!(Descriptor, id), "its id")?,
        version: text(std::mem::offset_of!(Descriptor, version), "its version")?,
        target: text(std::mem::offset_of!(Descriptor, target), "its target")?,
        build_id: text(std::mem::offset_of!(Descriptor, build_id), "its build id")?,
        manifest: text(std::mem::offset_of!(Descriptor, manifest), "its manifest")?,
        rules: image.names(
            word(std::mem::offset_of!(Descriptor, rules))?,
            rule_count,
            "rule",
        )?,
        kinds: image.names(
            word(std::mem::offset_of!(Descriptor, kinds))?,
            kind_count,
            "kind",
        )?,
        table_size,
        null_functions,
        constructors: image.constructors(),
        symbol,
    })
}

/// How long a table says it is, and which of the functions that every table has are null.
fn functions(image: &Image<'_>, at: u64) -> Result<(u64, Vec<usize>), NotDescribed> {
    const WORD: usize = size_of::<u64>();
    if at == 0 {
        return Ok((0, Vec::new()));
    }
    let size = image.word(at, "its table of functions")?;
    let there = usize::try_from(size).unwrap_or_default() / WORD;
    let mut null = Vec::new();
    for index in 1..(1 + REQUIRED_FUNCTIONS).min(there) {
        if image.word(at + (index * WORD) as u64, "its table of functions")? == 0 {
            null.push(index);
        }
    }
    Ok((size, null))
}

/// A library as it would lie in memory.
struct Image<'a> {
    elf: ElfFile64<'a, Endianness>,
    segments: Vec<(u64, &'a [u8])>,
    /// What the system would write over what is in the file, by address.
    written: BTreeMap<u64, u64>,
}

impl<'a> Image<'a> {
    fn read(library: &'a [u8]) -> Result<Self, NotDescribed> {
        let unreadable = |error: object::Error| {
            NotDescribed::Unreadable(format!("the library cannot be read as ELF: {error}"))
        };
        let elf = ElfFile64::<Endianness>::parse(library).map_err(unreadable)?;
        if elf.is_little_endian() != cfg!(target_endian = "little") {
            let why = "the library is for a machine of another byte order";
            return Err(NotDescribed::Unreadable(why.into()));
        }
        let mut segments = Vec::new();
        for segment in elf.segments() {
            segments.push((segment.address(), segment.data().map_err(unreadable)?));
        }
        let written = written(&elf);
        Ok(Self {
            elf,
            segments,
            written,
        })
    }

    fn bytes(&self, at: u64, len: u64, what: &str) -> Result<&'a [u8], NotDescribed> {
        let slice = |(start, bytes): &(u64, &'a [u8])| {
            let from = usize::try_from(at.checked_sub(*start)?).ok()?;
            bytes.get(from..from.checked_add(usize::try_from(len).ok()?)?)
        };
        let outside = || NotDescribed::Unreadable(format!("{what} lies outside of the library"));
        self.segments.iter().find_map(slice).ok_or_else(outside)
    }

    fn word(&self, at: u64, what: &str) -> Result<u64, NotDescribed> {
        if let Some(written) = self.written.get(&at) {
            return Ok(*written);
        }
        let bytes = self.bytes(at, 8, what)?;
        Ok(bytes
            .first_chunk()
            .map_or(0, |bytes| u64::from_ne_bytes(*bytes)))
    }

    fn number(&self, at: u64, what: &str) -> Result<u32, NotDescribed> {
        let bytes = self.bytes(at, 4, what)?;
        Ok(bytes
            .first_chunk()
            .map_or(0, |bytes| u32::from_ne_bytes(*bytes)))
    }

    /// A text, of which a pointer and a length lie there.
    fn text(&self, at: u64, what: &str) -> Result<String, NotDescribed> {
        let (ptr, len) = (self.word(at, what)?, self.word(at + 8, what)?);
        if len == 0 {
            return Ok(String::new());
        }
        if len > TEXT {
            let why = format!("{what} is {len} bytes long, of at most {TEXT}");
            return Err(NotDescribed::Unreadable(why));
        }
        let bytes = self.bytes(ptr, len, what)?.to_vec();
        String::from_utf8(bytes)
            .map_err(|_| NotDescribed::Unreadable(format!("{what} is not UTF-8")))
    }

    fn names(&self, at: u64, count: u32, what: &str) -> Result<Vec<String>, NotDescribed> {
        if count > NAMES {
            let why = format!("there are {count} {what}s, of at most {NAMES}");
            return Err(NotDescribed::Unreadable(why));
        }
        let each = |index: u32| {
            let what = format!("{what} number {index}");
            self.text(at + u64::from(index) * 16, &what)
        };
        (0..count).map(each).collect()
    }

    /// How many functions run when the library is opened.
    fn constructors(&self) -> usize {
        use object::ObjectSection as _;
        let section = self.elf.section_by_name(".init_array");
        section.map_or(0, |section| section.size() as usize / 8)
    }
}

/// The pointers that the system fills in, by where they go. Those of a packed table (RELR) stand in
/// the file already.
fn written(elf: &ElfFile64<'_, Endianness>) -> BTreeMap<u64, u64> {
    let mut written = BTreeMap::new();
    for (at, relocation) in elf.dynamic_relocations().into_iter().flatten() {
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            continue;
        };
        let symbol = match relocation.target() {
            object::RelocationTarget::Symbol(SymbolIndex(0))
            | object::RelocationTarget::Absolute => None,
            object::RelocationTarget::Symbol(index) => elf
                .dynamic_symbol_table()
                .and_then(|table| object::ObjectSymbolTable::symbol_by_index(&table, index).ok())
                .map(|symbol| symbol.address()),
            _ => continue,
        };
        // What comes from other libraries is known to be there, not where.
        let base = match symbol {
            None => 0,
            Some(0) => 1,
            Some(address) => address,
        };
        if is_pointer(r_type.0) {
            written.insert(at, base.wrapping_add_signed(relocation.addend()));
        }
    }
    written
}

/// Whether a relocation fills in a whole pointer: relative to where the library lies, or a symbol's.
fn is_pointer(kind: u32) -> bool {
    use object::elf;
    let known = [
        elf::R_X86_64_RELATIVE.0,
        elf::R_X86_64_64.0,
        elf::R_X86_64_GLOB_DAT.0,
        elf::R_AARCH64_RELATIVE.0,
        elf::R_AARCH64_ABS64.0,
        elf::R_AARCH64_GLOB_DAT.0,
    ];
    known.contains(&kind)
}
