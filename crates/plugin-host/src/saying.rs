//! What a plugin says, checked and turned into what the host knows.

use alamein_plugin_abi as abi;
use alamein_terrain::{Effect, Finding, Objection, Observation, Place};

use crate::context::{Context, Matter};

/// Something that a plugin may say.
pub(crate) trait Saying: Sized {
    /// As it crosses.
    type Raw: Copy;
    /// What to call it.
    const NAME: &'static str;

    /// Which of the lines or steps asked about it is said of.
    fn of(raw: &Self::Raw) -> u32;

    /// Checks it, and that it may be said of this line or step of the batch.
    ///
    /// # Safety
    /// What `raw` points to must be valid for reads as the ABI says.
    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String>;

    /// How many sayings it counts for.
    fn weight(&self) -> usize {
        1
    }
}

impl Saying for Observation {
    type Raw = abi::Observation;
    const NAME: &'static str = "observation";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, _: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let subject = context.subject(raw.subject)?;
        let place = context.place(&raw.place)?;
        let fact = context.fact(raw)?;
        let needs_los = raw.flags & abi::SAID_NEEDS_LOS != 0;
        if needs_los && !(matches!(place, Place::Hex(_)) && context.matter == Matter::Lines) {
            return Err("it needs LOS, and is not in a hex on a line".into());
        }
        Ok(Self {
            rule,
            place,
            subject,
            fact,
            needs_los,
        })
    }
}

impl Saying for Objection {
    type Raw = abi::Objection;
    const NAME: &'static str = "objection";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let observation = context.observation(raw.observation, of)?;
        Ok(Self { observation, rule })
    }
}

impl Saying for Finding {
    type Raw = abi::Finding;
    const NAME: &'static str = "finding";

    fn of(raw: &Self::Raw) -> u32 {
        raw.of
    }

    unsafe fn read(raw: &Self::Raw, of: u32, context: &Context<'_>) -> Result<Self, String> {
        let rule = context.rule(raw.rule)?;
        let effect = context.effect(raw)?;
        if effect == Effect::Contested && !context.has_option(rule) {
            return Err("it turned on an option, and the manifest names none for its rule".into());
        }
        // SAFETY: as the caller says.
        let cites = unsafe { context.cites(&raw.cites, of) }?;
        let place = context.place(&raw.place)?;
        let subject = context.subject(raw.subject)?;
        Ok(Self {
            rule,
            place,
            subject,
            effect,
            cites,
        })
    }

    fn weight(&self) -> usize {
        1 + self.cites.len()
    }
}

/// Copies of the elements of an array, which need not be aligned.
///
/// # Safety
/// If it is not null, the array must be valid for reads for as long as the iterator is used.
pub(crate) unsafe fn copies<T: Copy>(
    array: &abi::Array,
) -> Result<impl Iterator<Item = T> + use<T>, String> {
    let abi::Array { ptr, len, stride } = *array;
    if len > 0 && ptr.is_null() {
        return Err(format!("are a null pointer to {len}"));
    }
    if len > 0 && stride < size_of::<T>() {
        return Err(format!(
            "are {stride} bytes apart, and at least {} long",
            size_of::<T>()
        ));
    }
    if len
        .checked_mul(stride)
        .is_none_or(|bytes| isize::try_from(bytes).is_err())
    {
        return Err(format!(
            "are {len} of {stride} bytes, which no memory holds"
        ));
    }
    // SAFETY: within the array, which is valid as the caller says.
    let copy = move |index| unsafe { ptr.byte_add(index * stride).cast::<T>().read_unaligned() };
    Ok((0..len).map(copy))
}
