// The names of Apple's Combine that this package has too.

public protocol Cancellable { func cancel() }
public struct Record<Output, Failure: Error> {}
public struct Deferred<DeferredPublisher> {}
