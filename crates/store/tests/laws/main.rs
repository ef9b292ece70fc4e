//! What every store does, whatever stands behind it. Each law is a function over a store, and each store is
//! held to all of them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

#[path = "../../../../tests/src/postgres.rs"]
#[allow(dead_code, unreachable_pub)] // It is shared with the end to end tests.
mod database;
mod model;
mod objects;
mod refs;
mod stores;
mod things;

/// Holds a store to every law, each in a test of its own.
macro_rules! holds_to {
    ($store:ident: $($module:ident :: $law:ident),* $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $law() {
            let Some(opened) = crate::stores::$store().await else {
                return;
            };
            crate::$module::$law(std::sync::Arc::clone(&opened.store)).await;
            opened.close().await;
        }
    )*};
}

/// The laws, for one store.
macro_rules! laws_of {
    ($store:ident) => {
        mod $store {
            holds_to! { $store:
                objects::what_is_kept_is_there_and_nothing_else,
                objects::many_are_read_at_once,
                objects::keeping_again_is_the_same,
                objects::the_same_twice_in_one_call_is_one,
                objects::lists_go_by_id_and_in_pages,
                objects::all_are_kept_or_none,
                objects::there_is_room_for_what_is_there_already,
                objects::a_tenant_sees_nothing_of_another,
                objects::kinds_are_apart,
                objects::what_is_swept_is_gone_unless_it_was_kept_again,
                objects::large_ones_come_back_whole,
                objects::empty_ones_are_ones_too,
                objects::many_keep_the_same_at_once,
                objects::room_holds_while_many_keep,
                objects::a_call_that_is_dropped_is_done_wholly_or_not_at_all,
                refs::a_ref_is_made_moved_and_read,
                refs::who_comes_from_an_old_version_is_told_the_new,
                refs::of_many_that_move_it_one_does,
                refs::what_goes_with_a_move_happens_with_it_or_not_at_all,
                refs::a_log_is_read_in_pages,
                refs::one_may_move_without_a_line,
                refs::what_is_forgotten_has_no_log_any_more,
                refs::they_are_listed_by_name_and_kind,
                refs::any_text_is_a_name,
                refs::moves_are_told,
                refs::tenants_are_those_of_whom_something_is_kept,
                model::it_does_as_the_one_in_memory_does,
                objects::it_can_be_pinged,
            }
        }
    };
}

laws_of!(memory);
laws_of!(embedded);
laws_of!(postgres);
