//! The macro that exports a plugin.

/// Exports a plugin: one data symbol, from which the host learns everything before it calls
/// anything. The symbol is `alamein_plugin_` and the id with underscores for hyphens.
///
/// The same line registers the plugin in a program that links it statically: its descriptor is the
/// `static` of that name.
#[macro_export]
macro_rules! export_plugin {
    (
        id: $id:literal,
        symbol: $symbol:ident,
        plugin: $plugin:ty,
        manifest: $manifest:expr,
        rules: $rules:expr,
        kinds: $kinds:expr $(,)?
    ) => {
        #[cfg(panic = "abort")]
        compile_error!(
            "a plugin must be built with panic = \"unwind\": a panic would end the host"
        );

        /// What this plugin exports.
        #[allow(unsafe_code, non_upper_case_globals)]
        #[unsafe(no_mangle)]
        pub static $symbol: $crate::abi::Descriptor = {
            static TABLE: $crate::abi::Table = $crate::shim::table::<$plugin>();
            $crate::abi::Descriptor {
                magic: $crate::abi::MAGIC,
                abi_major: $crate::abi::ABI_MAJOR,
                abi_minor: $crate::abi::ABI_MINOR,
                struct_size: size_of::<$crate::abi::Descriptor>(),
                panic_strategy: $crate::abi::PANIC_UNWIND,
                rule_count: $rules.len() as u32,
                kind_count: $kinds.len() as u32,
                reserved: 0,
                id: $crate::abi::Bytes::of($id),
                version: $crate::abi::Bytes::of(env!("CARGO_PKG_VERSION")),
                target: $crate::abi::Bytes::of($crate::TARGET),
                build_id: $crate::abi::Bytes::of(match option_env!("ALAMEIN_BUILD_ID") {
                    Some(id) => id,
                    None => "unset",
                }),
                manifest: $crate::abi::Bytes::of($manifest),
                rules: $rules.as_ptr(),
                kinds: $kinds.as_ptr(),
                table: &raw const TABLE,
            }
        };
    };
}
