import ApolloCache
import ApolloOperations
public import ApolloTransport
import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects operations that are sent at about one moment, and sends them as one list in one `POST`.
///
/// Many servers do not support this, and there is no specification for it. Only requests with equal addresses, header
/// fields and timeouts are sent together, and only over one session, with equal limits. Files are sent with them as in
/// the GraphQL multipart request specification. Subscriptions, requests with `GET`, and operations with `@defer` or
/// `@stream` are sent by themselves.
public final class RequestBatcher: Sendable {
  /// What is wrong with the answer to a batch. All operations of the batch fail with it.
  public enum BatchError: ApolloError, Equatable {
    /// The server answered with something other than a list. The text is the beginning of the answer.
    case notAList(excerpt: String)
    /// The list in the answer has more or fewer results than the batch has operations.
    case wrongCount(expected: Int, found: Int)

    /// The kind of this error: ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode { .invalidResponse }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .notAList(let excerpt):
        "The answer to a batch of operations is not a list; the server may not support batches: \(excerpt)"
      case .wrongCount(let expected, let found):
        "The answer to a batch of \(expected) operations has \(found) results."
      }
    }
  }

  private struct Key: Hashable {
    let url: URL?
    let headers: [String: String]
    let timeout: TimeInterval
    let engine: ObjectIdentifier
    let origins: OriginPolicy?
    let limits: ResponseLimits?
  }

  private struct Waiting {
    let body: Data
    let files: [UploadedFile]
    let mayRepeat: Bool
    let count: SendingCount?
    let onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?
    let continuation: CheckedContinuation<FetchedResponse, any Error>
  }

  private struct Batch {
    let number: Int
    var request: URLRequest
    let engine: any HTTPEngine
    let rules: ExchangeRules
    let clock: any ClientClock
    var waiting: [Int: Waiting] = [:]
    var size: Int { waiting.count }
  }

  private struct State {
    var gathering: [Key: Batch] = [:]
    /// The batches that have been sent, by number, with the operations that still wait.
    var sent: [Int: (task: Task<Void, Never>, waiting: [Int: Waiting])] = [:]
    var count = 0
    var cancelled: Set<Int> = []
  }

  private let interval: Duration
  private let maximumSize: Int
  private let state = Locked(State())

  /// Makes a batcher.
  ///
  /// - Parameters:
  ///   - interval: How long the first operation of a batch waits for others. The default is 10 milliseconds.
  ///   - maximumSize: How many operations a batch has at most. A full batch is sent at once. The default is 10; less
  ///     than 1 counts as 1.
  public init(interval: Duration = .milliseconds(10), maximumSize: Int = 10) {
    self.interval = interval
    self.maximumSize = max(1, maximumSize)
  }

  /// Adds an operation to a batch, and waits for its response.
  ///
  /// - Parameters:
  ///   - request: The request of the operation, without its body.
  ///   - body: The JSON of the operation.
  ///   - files: The files that are sent with it.
  ///   - mayRepeat: Whether the operation may run twice. A batch may if all of its operations may.
  ///   - engine: Sends the batch.
  ///   - rules: Where a batch may go, and how much may come.
  ///   - clock: By which the first operation of a batch waits for others.
  ///   - count: Counts how often the operation is sent. nil, the default: nothing needs to know.
  ///   - onProgress: Called with the bytes of the whole batch, as long as the operation waits. nil, the default: nothing
  ///     is called.
  /// - Returns: The response, with the operation's own result as its body.
  /// - Throws: The error of the exchange, or ``BatchError``; `CancellationError` if the task is cancelled.
  func fetch(
    _ request: URLRequest, body: Data, files: [UploadedFile] = [], mayRepeat: Bool, with engine: any HTTPEngine,
    _ rules: ExchangeRules, _ clock: any ClientClock, counting count: SendingCount? = nil,
    onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)? = nil
  ) async throws -> FetchedResponse {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    defer { _ = state.withLock { $0.cancelled.remove(number) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiting = Waiting(
          body: body, files: files, mayRepeat: mayRepeat, count: count, onProgress: onProgress,
          continuation: continuation)
        add(
          waiting, number: number,
          Batch(number: number, request: request, engine: engine, rules: rules, clock: clock))
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func add(_ waiting: Waiting, number: Int, _ new: Batch) {
    var shared = new.request
    // These header fields belong to one operation.
    for suffix in ["NAME", "TYPE", "ID"] { shared.setValue(nil, forHTTPHeaderField: "X-APOLLO-OPERATION-\(suffix)") }
    // These header fields are set for the whole batch.
    for name in ["Content-Length", "Content-Type", "Apollo-Require-Preflight"] {
      shared.setValue(nil, forHTTPHeaderField: name)
    }
    shared.httpBody = nil
    let key = Key(
      url: shared.url, headers: shared.allHTTPHeaderFields ?? [:], timeout: shared.timeoutInterval,
      engine: new.engine.identity, origins: new.rules.origins, limits: new.rules.limits)
    let (begun, isCancelled) = state.withLock { state -> (Int?, Bool) in
      guard state.cancelled.remove(number) == nil else { return (nil, true) }
      let isFirst = state.gathering[key] == nil
      var batch = state.gathering[key] ?? new
      batch.request = shared
      batch.waiting[number] = waiting
      guard batch.size < maximumSize else {
        state.gathering[key] = nil
        send(batch, in: &state)
        return (nil, false)
      }
      state.gathering[key] = batch
      return (isFirst ? batch.number : nil, false)
    }
    if isCancelled { return waiting.continuation.resume(throwing: CancellationError()) }
    guard let begun else { return }
    let end = new.clock.instant(after: interval)
    Task {
      try? await new.clock.sleep(until: end)
      state.withLock { state in
        guard state.gathering[key]?.number == begun, let batch = state.gathering.removeValue(forKey: key) else {
          return
        }
        send(batch, in: &state)
      }
    }
  }

  /// Sends a batch.
  ///
  /// - Parameters:
  ///   - batch: The batch, which gathers no more.
  ///   - state: The state that it was taken out of. It goes on under the same lock, so each cancellation finds it.
  private func send(_ batch: Batch, in state: inout State) {
    guard !batch.waiting.isEmpty else { return }
    let numbers = batch.waiting.keys.sorted()
    let task = Task {
      let results: [Result<FetchedResponse, any Error>]
      do {
        let fetched = try await TemporaryFile.with { file -> FetchedResponse in
          let operations = numbers.compactMap { batch.waiting[$0] }
          let (request, isInFile) = try Self.request(for: operations, as: batch.request, in: file)
          let mayRepeat = operations.allSatisfy(\.mayRepeat)
          for operation in operations { operation.count?.add(mayRepeat: mayRepeat) }
          return try await batch.engine.fetch(
            HTTPExchange(
              request: request, file: isInFile ? file.url : nil, description: "batch of \(numbers.count)",
              mayRepeat: mayRepeat, onProgress: self.progress(of: batch), rules: batch.rules))
        }
        results = try await Self.split(
          fetched.collected(batch.rules.limits ?? ResponseLimits()), into: numbers.count
        )
        .map { .success($0) }
      } catch {
        results = numbers.map { _ in .failure(error) }
      }
      self.finish(batch.number, zip(numbers, results))
    }
    state.sent[batch.number] = (task, batch.waiting)
  }

  /// Tells the operations of a batch that still wait how far its transfer is; nil if none of them asks for that.
  private func progress(of batch: Batch) -> (@Sendable (RequestConfiguration.TransferProgress) -> Void)? {
    guard batch.waiting.values.contains(where: { $0.onProgress != nil }) else { return nil }
    return { [self, number = batch.number] progress in
      let told = state.withLock { $0.sent[number]?.waiting.values.compactMap(\.onProgress) } ?? []
      for onProgress in told { onProgress(progress) }
    }
  }

  /// The request for some operations, and whether its body is in a file.
  private static func request(
    for operations: [Waiting], as shared: URLRequest, in file: TemporaryFile
  ) throws -> (request: URLRequest, isInFile: Bool) {
    var request = shared
    var body = Data("[".utf8)
    for (index, operation) in operations.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      body.append(operation.body)
    }
    body.append(UInt8(ascii: "]"))
    let files = operations.enumerated().flatMap { index, operation in
      operation.files.map { UploadedFile(path: "\(index).\($0.path)", file: $0.file) }
    }
    guard !files.isEmpty else {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = body
      return (request, false)
    }
    let form = MultipartFormData(boundary: MultipartFormData().boundary, operations: body, files: files)
    request.setContentType(of: form)
    request.setValue("true", forHTTPHeaderField: "Apollo-Require-Preflight")
    let isInFile = try form.attach(to: &request, in: file)
    return (request, isInFile)
  }

  private func finish(_ batch: Int, _ results: Zip2Sequence<[Int], [Result<FetchedResponse, any Error>]>) {
    let waiting = state.withLock { $0.sent.removeValue(forKey: batch)?.waiting } ?? [:]
    for (number, result) in results { waiting[number]?.continuation.resume(with: result) }
  }

  /// Splits the answer into a response for each operation.
  ///
  /// If the status is not one of success, it may be that of one operation, and the server has executed the others. So a
  /// list that has an object for each operation is split, and each of them is a GraphQL response whatever the status.
  /// Otherwise each operation is given the whole response, and so it is if that is one object with errors and without data,
  /// whatever the status: the server refuses the whole request with it. If the errors of some operations say that the credentials
  /// are refused, a status 401 is theirs alone: the others have the status 200.
  private static func split(_ whole: FetchedResponse, into count: Int) throws -> [FetchedResponse] {
    let isSuccess = whole.response.isSuccess
    guard case .whole(let data) = whole.body else { return Array(repeating: whole, count: count) }
    // (Elements keep their text, so that numbers keep their digits.)
    let tree = try? JSONTree(ResponseBytes(data), maximumDepth: ResponseReader.defaultMaximumDepth)
    let elements = tree?.elements
    guard isSuccess || elements?.count == count && elements?.allSatisfy({ $0.members != nil }) == true else {
      return Array(repeating: whole, count: count)
    }
    guard let list = elements else {
      if isRefusal(data) { return Array(repeating: whole, count: count) }
      throw BatchError.notAList(excerpt: data.excerpt)
    }
    guard list.count == count else { throw BatchError.wrongCount(expected: count, found: list.count) }
    let bodies = list.map { element in
      var writer = __JSONWriter()
      element.__write(to: &writer)
      return Data(writer.bytes)
    }
    if isSuccess { return bodies.map { FetchedResponse(response: whole.response, body: .whole($0)) } }
    let status = whole.response.statusCode
    let areRefused = bodies.map { status == 401 && GraphQLError.all(inBody: $0).contains(where: \.isUnauthenticated) }
    return zip(bodies, areRefused).map { body, isRefused in
      let isOther = areRefused.contains(true) && !isRefused
      let response = whole.response.labelledAsGraphQL(status: isOther ? 200 : status)
      return FetchedResponse(response: response, body: .whole(body))
    }
  }

  /// Whether a body is one object with errors and without data.
  private static func isRefusal(_ body: Data) -> Bool {
    guard let members = try? JSONMembers(ResponseBytes(body)) else { return false }
    let data = members.value(of: "data")
    return (data == nil || data is JSONNull) && !GraphQLError.all(inBody: body).isEmpty
  }

  /// Removes one operation. A batch that has been sent is cancelled when its last operation is removed.
  private func cancel(_ number: Int) {
    // (All of what waits is taken out of the lock, with the closure of the app that it has.)
    let (waiting, task) = state.withLock { state -> (Waiting?, Task<Void, Never>?) in
      for (key, batch) in state.gathering where batch.waiting[number] != nil {
        return (state.gathering[key]?.waiting.removeValue(forKey: number), nil)
      }
      for (batch, sent) in state.sent where sent.waiting[number] != nil {
        let waiting = state.sent[batch]?.waiting.removeValue(forKey: number)
        return (waiting, sent.waiting.count == 1 ? sent.task : nil)
      }
      state.cancelled.insert(number)
      return (nil, nil)
    }
    waiting?.continuation.resume(throwing: CancellationError())
    task?.cancel()
  }
}

extension HTTPURLResponse {
  /// The response with a type that makes its body a GraphQL response whatever the status.
  fileprivate func labelledAsGraphQL(status: Int) -> HTTPURLResponse {
    guard let url else { return self }
    var fields: [String: String] = [:]
    for (name, value) in allHeaderFields { fields["\(name)"] = "\(value)" }
    fields.setHeader("Content-Type", to: "application/graphql-response+json")
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields) ?? self
  }
}
