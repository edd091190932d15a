/**
 * Tests of what each backend keeps, and what such tests share. A backend's own tests extend the abstract classes, each
 * with what tells that backend from the others: its provider, and why an answer of its is another one.
 */
@NullMarked
package io.thrust.backend;

import org.jspecify.annotations.NullMarked;
