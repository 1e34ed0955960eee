// A module that is called like Apple's and declares what generated code could hide, for systems that have none.

public protocol Cancellable {
  func cancel()
}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

public struct Record<Output, Failure: Error>: Publisher {
  public init(output: [Output]) {}
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public struct Just<Output>: Publisher {
  public typealias Failure = Never

  public init(_ output: Output) {}
}

public enum Subscribers {}

public enum Publishers {}

public protocol Subscription: Cancellable {}

public protocol Subject: Publisher {}
