//! Circles in what replaces what.

use std::collections::{BTreeMap, BTreeSet};

/// Every circle once: of the rules of a knot, in which each leads to each, the shortest way round
/// from its first. `next` has for each rule those that replace it.
pub(super) fn all<T: Copy + Ord>(next: &BTreeMap<T, Vec<T>>) -> Vec<Vec<T>> {
    let mut told = BTreeSet::new();
    let mut circles = Vec::new();
    for start in next.keys() {
        if told.contains(start) {
            continue;
        }
        if let Some(circle) = way_round(*start, next) {
            told.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

/// The shortest way from a rule back to itself.
fn way_round<T: Copy + Ord>(start: T, next: &BTreeMap<T, Vec<T>>) -> Option<Vec<T>> {
    let mut came_from: BTreeMap<T, T> = BTreeMap::new();
    let mut edge = vec![start];
    while !edge.is_empty() {
        let mut beyond = Vec::new();
        for at in edge {
            for to in next.get(&at).into_iter().flatten() {
                if *to == start {
                    return Some(way(start, at, &came_from));
                }
                if !came_from.contains_key(to) {
                    came_from.insert(*to, at);
                    beyond.push(*to);
                }
            }
        }
        edge = beyond;
    }
    None
}

/// The way from one to the other, both included.
fn way<T: Copy + Ord>(start: T, end: T, came_from: &BTreeMap<T, T>) -> Vec<T> {
    let mut way = vec![end];
    let mut at = end;
    while at != start {
        let Some(before) = came_from.get(&at) else {
            break;
        };
        at = *before;
        way.push(at);
    }
    way.reverse();
    way
}
