import ApolloAPI
public import Foundation

extension ApolloStore {
  /// Collections that happen again and again; see ``ApolloStore/collects(every:maxStale:onCompletion:)``.
  public final class CollectionSchedule: Sendable {
    private let task: Task<Void, Never>

    fileprivate init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends it. A collection that is under way ends after its current step.
    public func cancel() { task.cancel() }
  }

  /// Collects garbage again and again in the background, until it is cancelled or the store is released.
  ///
  /// The time between two collections is that of the client's clock, whatever ``clock`` tells. The first one begins when
  /// this time has passed once. After one that fails, the next one is tried as well.
  ///
  /// - Parameters:
  ///   - interval: The time between two collections, in seconds. Less than a tenth of a second stands for a tenth.
  ///   - maxStale: How many seconds longer than it may be used a field stays. The default is 0.
  ///   - onCompletion: Called after each collection with what it has removed, or with why it failed. nil, the default:
  ///     nothing is called.
  /// - Returns: The schedule. It need not be held.
  @discardableResult
  public func collects(
    every interval: TimeInterval, maxStale: TimeInterval = 0,
    onCompletion: (@Sendable (Result<CollectedGarbage, any Swift.Error>) -> Void)? = nil
  ) -> CollectionSchedule {
    let wait = Duration.waiting(interval > 0.1 ? interval : 0.1)
    return CollectionSchedule(
      Task.detached(priority: .background) { [weak self] in
        while true {
          // The store is not kept while the task sleeps.
          guard let clock = self?.engine.clock, (try? await clock.sleep(for: wait)) != nil, let store = self else {
            return
          }
          let result: Result<CollectedGarbage, any Swift.Error>
          do { result = .success(try await store.collectGarbage(maxStale: maxStale)) } catch {
            result = .failure(error)
          }
          guard !Task.isCancelled else { return }
          onCompletion?(result)
        }
      })
  }
}
