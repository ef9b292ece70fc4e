/**
 * Asks a running Alamein service for rulings on positions of Advanced Squad Leader, and keeps maps,
 * positions and games there.
 *
 * <p>An {@link org.alamein.client.AlameinClient} is one connection, which any number of threads may
 * share. The messages are in the package {@code org.alamein.v1}, and the comments on their fields
 * say what each one means.
 */
package org.alamein.client;
