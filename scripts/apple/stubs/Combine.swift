// The part of Combine that this package uses, and its names that this package has too.
public protocol Cancellable { func cancel() }
public protocol Subscription: Cancellable {}
public struct Record<Output, Failure: Error> {}
public struct Deferred<DeferredPublisher> {}

public enum Subscribers {
  public enum Completion<Failure: Error> { case finished, failure(Failure) }
  public struct Demand { public static let unlimited = Demand() }
}

public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {}
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> Publishers.CompactMap<Self, Result> {
    fatalError("a stub")
  }
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> { fatalError("a stub") }
}

public enum Publishers {
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {}
  }
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {}
  }
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
  public init(_ value: Output) {}
  public func send(_ input: Output) {}
  public func send(completion: Subscribers.Completion<Failure>) {}
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {}
}
