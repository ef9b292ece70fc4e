// Package alamein asks a running Alamein service for rulings on positions of Advanced Squad Leader,
// and keeps maps, positions and games there.
//
// A [Client] is one connection; any number of goroutines may share it. Each call has a deadline even
// where its context has none, is tried again where that is safe and may help, and fails with an
// [*Error] that says why in a way that programs can branch on. The same holds for the generated stubs
// that the client carries, such as [Client.Adjudication]: whatever the helpers here do not have is
// asked of those.
//
// The messages are in package alameinv1, and the comments on their fields say what each one means.
package alamein
