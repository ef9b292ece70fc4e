package org.alamein.client;

/**
 * A field of a request that is at fault.
 *
 * @param path leads to it, such as {@code subject.position.counters[3].hex}. Of one question of
 *     several it begins at the question.
 * @param description what is wrong with it
 */
public record Field(String path, String description) {}
