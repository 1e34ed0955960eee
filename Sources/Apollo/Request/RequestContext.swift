/// Anything the caller wants to give to interceptors of its own.
///
/// They get it on any thread, one after the other. It need not be `Sendable`, as in release 1 of Apollo iOS. For timeouts,
/// header fields and the like there is ``RequestConfiguration``.
public protocol RequestContext {}
