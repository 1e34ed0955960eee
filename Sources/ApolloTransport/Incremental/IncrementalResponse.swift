public import ApolloAPI
package import ApolloCache

/// A response that a server sends in parts, for `@defer` and `@stream`: takes the parts, gives everything so far.
///
/// What the parts are carried by, a multipart response or a WebSocket, is not its concern:
///
///     var response = IncrementalResponse()
///     for try await part in parts {
///       // nil for a part that brings nothing, such as a heartbeat
///       guard let bytes = try response.merge(part) else { continue }
///       // A response like any other, which ``ResponseReader`` reads; its `hasNext` is false in the last one.
///       deliver(bytes)
///     }
///     try response.finish()  // throws if the parts end too early
///
/// It understands the forms that servers send today, which are told apart by what is in the parts and not by a media
/// type: the one of 2022 (`deferSpec=20220824`: `path` and `label` with each increment), the one of the current draft
/// (`incrementalSpec=v0.2`: `pending`, `incremental`, `completed`), and the first one, a part of which is an increment
/// itself. Responses in one piece pass as they are, so a caller need not know whether the server defers. After the last
/// part the next one begins a new response, as subscriptions need it.
///
/// Errors and extensions of all parts are gathered. To give the response so far costs time in proportion to its length,
/// so a server that sends a large response and then many small parts is not given a result for each of them: see
/// ``merge(_:)``.
public struct IncrementalResponse: Sendable {
  /// The server has promised more parts.
  public private(set) var hasNext = false

  private var data: JSONTree?
  private var errors: [JSONTree] = []
  private var extensions: JSONTree.Members?
  /// What the server has announced and not completed, by its identifier.
  private var pending: [String: Announcement] = [:]
  /// What to think of deferred fragments that were neither announced nor delivered: see ``DeferMark``. A server may
  /// announce one later than its object.
  private var undelivered = DeferMark.pending
  /// Whether the server announces what will come. In the form of 2022 it does not.
  private var isAnnounced = false
  /// The places of deferred fragments that have failed, in the form of 2022.
  private var failedPlaces = Places()
  /// What was announced for a place that the response does not have yet.
  private var unplaced: [String] = []
  /// What was announced for lists, and is not complete.
  private var streams: Set<String> = []
  /// Whether the server has failed to send the rest of a list.
  private var hasFailedStream = false
  private var budget = ResponseBudget()
  /// Whether there is something in the response that was not given.
  private var isWithheld = false
  private var (partCount, byteCount) = (0, 0)
  /// Whether the operation may have `@stream`.
  private let mayStream: Bool
  private let maximumDepth: Int
  private let limits: ResponseLimits
  /// By which time passes between parts.
  private let clock: any ClientClock
  /// How many announcements may wait for their place. Each part looks for all of these places.
  private static let maximumUnplaced = 1_000

  private struct Announcement {
    var path: [PathComponent]
    var label: String
  }

  /// - Parameters:
  ///   - maximumDepth: How many objects and lists of a part may be nested, at most 2,048.
  ///   - limits: How many parts and announcements, and how many bytes in all, a response in parts may have.
  public init(
    maximumDepth: Int = ResponseReader.defaultMaximumDepth, limits: ResponseLimits = ResponseLimits()
  ) {
    self.init(maximumDepth: maximumDepth, limits: limits, clock: .system)
  }

  /// Makes a response without parts.
  ///
  /// - Parameters:
  ///   - maximumDepth: How many objects and lists of a part may be nested.
  ///   - limits: How much a response in parts may have.
  ///   - mayStream: Whether the operation may have `@stream`. The form of 2022 does not announce which lists will grow.
  ///   - clock: By which time passes between parts.
  package init(
    maximumDepth: Int = ResponseReader.defaultMaximumDepth, limits: ResponseLimits = ResponseLimits(),
    mayStream: Bool = true, clock: any ClientClock
  ) {
    self.mayStream = mayStream
    self.maximumDepth = maximumDepth
    self.limits = limits
    self.clock = clock
  }

  /// Adds a part.
  ///
  /// - Returns: The response so far; nil if the part brings nothing. Also nil for a part that is small beside the response,
  ///   if there have been very many of these: what it brings is in what a later part gives, and in any case the last
  ///   one. (Results of 256 MB in all are always given, and then 64 bytes for each byte that comes and 16 MB a second.)
  /// - Throws: An error that says what is wrong with the part. Nothing that may follow can be trusted then.
  public mutating func merge(_ part: ResponseBytes) throws(IncrementalResponse.DeliveryError) -> ResponseBytes? {
    let tree: JSONTree
    do throws(ResponseDecodingError) {
      tree = try JSONTree(part, maximumDepth: maximumDepth)
    } catch {
      throw .unreadablePart(error)
    }
    guard let members = tree.members else { throw .malformed("it is not an object") }
    if members.names.isEmpty { return nil }
    if hasNext {
      let isLast = members["hasNext"]?.value as? Bool == false
      if !isLast, members.names == ["hasNext"] { return nil }
      hasNext = !isLast
    } else {
      guard members["data"] != nil || members["errors"] != nil else { throw .unexpectedPart }
      guard begin(members) else { return part }
    }
    try count(part)
    if try addIncrements(members) { isWithheld = true }
    guard hasNext else {
      end()
      return merged
    }
    guard isWithheld, budget.allowsResult() else { return nil }
    isWithheld = false
    let merged = merged
    budget.spend(merged.count)
    return merged
  }

  private mutating func count(_ part: ResponseBytes) throws(IncrementalResponse.DeliveryError) {
    partCount += 1
    byteCount += part.count
    budget.earn(part.count, at: clock.now)
    guard partCount <= limits.parts else { throw .tooManyParts(limit: limits.parts) }
    guard byteCount <= limits.responseSize else { throw .tooLarge(limit: limits.responseSize) }
  }

  /// Reports parts that are missing: to be called when no more can come.
  public func finish() throws(IncrementalResponse.DeliveryError) {
    guard hasNext else { return }
    throw .truncated(labels: pending.values.map(\.label).sorted())
  }

  // MARK: Begin and end

  /// Takes the first part; false if it is the whole response.
  private mutating func begin(_ members: JSONTree.Members) -> Bool {
    self = IncrementalResponse(maximumDepth: maximumDepth, limits: limits, mayStream: mayStream, clock: clock)
    hasNext = members["hasNext"]?.value as? Bool ?? false
    isAnnounced = members["pending"] != nil
    guard hasNext || isAnnounced || members["incremental"] != nil else { return false }
    data = members["data"]
    errors = members["errors"]?.elements ?? []
    extensions = members["extensions"]?.members
    return true
  }

  private mutating func end() {
    let missing = pending.values
    pending = [:]
    streams = []
    failedPlaces = Places()
    // What was announced and not completed may have come in full nevertheless.
    undelivered = .notExecuted
    for announcement in missing { mark(announcement.label, at: announcement.path, as: nil) }
  }

  /// Whether lists may be shorter than in the whole answer: see ``DeferMark/openLists``.
  private var hasOpenLists: Bool {
    hasFailedStream || !streams.isEmpty || hasNext && !isAnnounced && mayStream
  }

  private var merged: ResponseBytes {
    var writer = __JSONWriter()
    writer.writeObject { writer in
      writer.write(member: DeferMark.member, undelivered)
      if hasOpenLists { writer.write(member: DeferMark.openLists, true) }
      if let data { writer.write(member: "data", data) }
      if !errors.isEmpty { writer.write(member: "errors", JSONTree.list(errors)) }
      if let extensions { writer.write(member: "extensions", JSONTree.object(extensions)) }
      writer.write(member: "hasNext", hasNext)
    }
    return ResponseBytes(writer.bytes)
  }

  // MARK: Increments

  /// - Returns: Whether the part brings anything.
  private mutating func addIncrements(_ members: JSONTree.Members) throws(IncrementalResponse.DeliveryError) -> Bool {
    let announced = try Self.objects(members["pending"], "pending")
    for entry in announced {
      let id = try Self.identifier(entry)
      pending[id] = Announcement(path: try Self.path(entry["path"], "path"), label: Self.label(entry))
      unplaced.append(id)
    }
    guard pending.count <= limits.announcements else { throw .tooManyAnnouncements(limit: limits.announcements) }
    let increments = try Self.objects(members["incremental"], "incremental")
    for entry in increments {
      if entry["id"] == nil { try addByPath(entry) } else { try addByIdentifier(entry) }
    }
    if members["path"] != nil {
      try addByPath(members)
    } else {
      // (Those of the first part are there already.)
      if partCount > 1 { errors += members["errors"]?.elements ?? [] }
      addExtensions(members)
    }
    let completed = try Self.objects(members["completed"], "completed")
    for entry in completed {
      let id = try Self.identifier(entry)
      guard let announcement = pending.removeValue(forKey: id) else { throw .unknownIdentifier(id) }
      let failure = entry["errors"]?.elements
      errors += failure ?? []
      streams.remove(id)
      let place = mark(announcement.label, at: announcement.path, as: failure.map(Self.failed) ?? .ready)
      // (It may have been announced with the same part.)
      if case .list? = place, failure != nil { hasFailedStream = true }
    }
    try placeAnnouncements()
    return !announced.isEmpty || !completed.isEmpty || partCount == 1 || Self.bringsSomething(members)
      || increments.contains(where: Self.bringsSomething)
  }

  /// Marks what was announced as pending, where the response has a place for it.
  private mutating func placeAnnouncements() throws(IncrementalResponse.DeliveryError) {
    var missing: [String] = []
    for id in unplaced {
      guard let announcement = pending[id] else { continue }
      switch mark(announcement.label, at: announcement.path, as: .pending) {
      case .object: break
      case .list: streams.insert(id)
      case nil: missing.append(id)
      }
    }
    unplaced = missing
    guard missing.count <= Self.maximumUnplaced else { throw .tooManyUnplacedParts(limit: Self.maximumUnplaced) }
  }

  /// An increment of the current draft, which belongs to an announcement.
  private mutating func addByIdentifier(_ entry: JSONTree.Members) throws(IncrementalResponse.DeliveryError) {
    let id = try Self.identifier(entry)
    guard let announcement = pending[id] else { throw .unknownIdentifier(id) }
    let path = try announcement.path + (entry["subPath"] == nil ? [] : Self.path(entry["subPath"], "subPath"))
    errors += entry["errors"]?.elements ?? []
    addExtensions(entry)
    if let fields = entry["data"], !fields.isNull {
      try change(path) { [mayStream] in $0.merge(fields, keepsEnd: mayStream) }
    }
    guard let items = entry["items"]?.elements else { return }
    try change(path) { list throws(IncrementalResponse.DeliveryError) in
      guard var elements = list.takeElements() else { throw .noSuchPlace(path) }
      elements += items
      list = .list(elements)
    }
  }

  /// An increment of the form of 2022, or of the first one, which says where it belongs.
  private mutating func addByPath(_ entry: JSONTree.Members) throws(IncrementalResponse.DeliveryError) {
    let path = try Self.path(entry["path"], "path")
    errors += entry["errors"]?.elements ?? []
    addExtensions(entry)
    do throws(IncrementalResponse.DeliveryError) {
      try add(entry, at: path)
    } catch {
      // Some servers send what is below a fragment that has failed. Nothing is there that it could be added to.
      guard case .noSuchPlace = error, failedPlaces.areLeft(by: path) else { throw error }
      // (A list that is there has lost elements before this one.)
      if case .index? = path.last, find(path.dropLast())?.isList == true { throw error }
    }
  }

  private mutating func add(
    _ entry: JSONTree.Members, at path: [PathComponent]
  ) throws(IncrementalResponse.DeliveryError) {
    if let items = entry["items"] {
      if items.isNull { hasFailedStream = true }
      guard case .index(let first)? = path.last else { throw .malformed("the path of its items ends with no index") }
      return try insert(items.elements ?? [], at: first, of: Array(path.dropLast()))
    }
    guard let fields = entry["data"] else { return }
    if case .index(let index)? = path.last, let list = find(path.dropLast())?.elements, list.count == index {
      return try insert([fields], at: index, of: Array(path.dropLast()))
    }
    guard !fields.isNull else {
      let place = mark(Self.label(entry), at: path, as: Self.failed(entry["errors"]?.elements ?? []))
      if place != nil { failedPlaces.insert(path[...]) }
      return
    }
    try change(path) { [mayStream] in $0.merge(fields, keepsEnd: mayStream) }
    mark(Self.label(entry), at: path, as: .ready)
  }

  private mutating func insert(
    _ items: [JSONTree], at first: Int, of path: [PathComponent]
  ) throws(IncrementalResponse.DeliveryError) {
    try change(path) { [mayStream] list throws(IncrementalResponse.DeliveryError) in
      guard var elements = list.takeElements() else { throw .noSuchPlace(path) }
      defer { list = .list(elements) }
      guard first >= 0, first <= elements.count else { throw .noSuchPlace(path + [.index(first)]) }
      for (offset, item) in items.enumerated() {
        guard first + offset < elements.count else {
          elements.append(item)
          continue
        }
        elements[first + offset].merge(item, keepsEnd: mayStream)
      }
    }
  }

  private mutating func addExtensions(_ entry: JSONTree.Members) {
    guard let new = entry["extensions"]?.members else { return }
    for name in new.names { extensions = extensions ?? .init(); extensions?[name] = new[name] }
  }

  // MARK: Places

  private mutating func change(
    _ path: [PathComponent], _ body: (inout JSONTree) throws(IncrementalResponse.DeliveryError) -> Void
  ) throws(IncrementalResponse.DeliveryError) {
    guard var root = data else { throw .noSuchPlace(path) }
    data = nil
    defer { data = root }
    try root.change(path[...], of: path, body)
  }

  private func find(_ path: ArraySlice<PathComponent>) -> JSONTree? {
    var place = data
    for component in path {
      switch component {
      case .field(let name): place = place?.members?[name]
      case .index(let index):
        place = place?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    }
    return place
  }

  /// Records the state of a deferred fragment in the object that has it; nil for a fragment that was executed together
  /// with the object.
  ///
  /// If there is no object at the path, nothing is recorded: an announcement may come before its object, and the path
  /// of a stream leads to a list.
  ///
  /// - Returns: What is at the path; nil if there is neither an object nor a list.
  @discardableResult
  private mutating func mark(_ label: String, at path: [PathComponent], as mark: DeferMark?) -> Place? {
    var place: Place?
    try? change(path) { object in
      guard var members = object.takeMembers() else {
        place = object.isList ? .list : nil
        return
      }
      place = .object
      members.change(DeferMark.member) { marks in
        var labels = marks?.takeMembers() ?? .init()
        labels[label] = mark.map(JSONTree.init)
        marks = labels.names.isEmpty ? nil : .object(labels)
      }
      object = .object(members)
    }
    return place
  }

  private enum Place { case object, list }
}
