import Apollo
import ApolloWebSocket
import Fixture0001
import Foundation

// A view model on the main actor that sets its state in the handlers of every verb.

@MainActor public final class ReviewsModel {
  public private(set) var log: [String] = []
  public var stars: [Int] = []
  private let client: ApolloClient
  private var subscription: Cancellable?
  private var watcher: GraphQLQueryWatcher<ReviewsQuery>?
  private var reviewWatcher: FragmentWatcher<ReviewTags>?

  public init(client: ApolloClient) { self.client = client }

  private func note(_ what: String) { log.append(what) }

  public func fetch() {
    client.fetch(query: ReviewsQuery()) { [weak self] result in
      switch result {
      case .success(let value): self?.stars = value.data?.latest.map(\.stars) ?? []
      case .failure(let error): self?.note(error.localizedDescription)
      }
      self?.note("fetch")
    }
  }

  public func fetchWithStrongSelf() {
    client.fetch(query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData) { result in
      self.stars = (try? result.get())?.data?.latest.map(\.stars) ?? []
      self.note("fetch again")
    }
  }

  public func watch() {
    watcher = client.watch(query: ReviewsQuery()) { [weak self] result in
      if case .success = result { self?.note("watch") }
    }
  }

  public func perform() {
    client.perform(mutation: CreateReviewMutation(review: ReviewInput(stars: 4))) { [weak self] result in
      guard let self else { return }
      note("perform \((try? result.get())?.data?.createReview?.stars ?? 0)")
    }
  }

  public func upload() {
    let file = GraphQLFile(fieldName: "review.picture", originalName: "a.txt", data: Data("a".utf8))
    client.upload(operation: CreateReviewMutation(review: ReviewInput(stars: 4)), files: [file]) { _ in
      self.note("upload")
    }
  }

  public func subscribe() {
    subscription = client.subscribe(subscription: ReviewAddedSubscription()) { [weak self] result in
      if let stars = (try? result.get())?.data?.reviewAdded?.stars { self?.note("event \(stars)") }
    }
  }

  public func load() {
    client.store.load(ReviewsQuery(), callbackQueue: .main) { result in
      self.note("load \((try? result.get())?.source == .cache)")
    }
  }

  public func watchFragment() {
    reviewWatcher = client.watchFragment(ReviewTags.self, withKey: "QUERY_ROOT") { [weak self] _ in
      self?.note("fragment")
    }
  }

  public func clear() {
    client.clearCache { _ in self.note("clear") }
  }

  public func read() {
    client.store.withinReadTransaction({ try $0.read(query: ReviewsQuery()) }, callbackQueue: .main) { result in
      self.note("read \((try? result.get()) != nil)")
    }
  }

  public func remove() {
    client.store.withinReadWriteTransaction(
      { transaction in try transaction.removeObject(for: "QUERY_ROOT") }, callbackQueue: .main
    ) { [weak self] _ in
      self?.note("removed")
    }
  }

  public func stop() {
    subscription?.cancel()
    watcher?.cancel()
    reviewWatcher?.cancel()
  }
}

// A view of SwiftUI is a struct on the main actor whose state is elsewhere.

@MainActor @propertyWrapper public struct State<Value> {
  @MainActor private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}

@MainActor public protocol View {}

public struct ReviewsView: View {
  @State public var stars: [Int] = []
  @State public var error: String?
  let client: ApolloClient

  public init(client: ApolloClient) { self.client = client }

  public func onAppear() {
    client.fetch(query: ReviewsQuery()) { result in
      switch result {
      case .success(let value): stars = value.data?.latest.map(\.stars) ?? []
      case .failure(let failure): error = "\(failure)"
      }
    }
  }
}
