/// A value that the caller of an operation passes to its own interceptors and transports.
///
/// They get it on any thread, one after the other. It need not be `Sendable`. For timeouts, header fields and other
/// settings of a request, use a ``RequestConfiguration``.
public protocol RequestContext {}
