extension ResponseReader {
  /// The contents of a response.
  public struct Contents<Data> {
    /// The typed data; nil if the server sent none.
    public var data: Data?
    /// The errors that the server reported; nil if there are none.
    public var errors: [GraphQLError]?
    /// Further information from the server; nil if there is none.
    public var extensions: JSONObject?
    /// The error because of which there is no `data`, although the server sent some: nothing caught it. nil if there is none.
    public var unhandledFieldError: GraphQLError?
    /// What is to be logged of the data: fields with `@required(action: LOG)` that are null.
    package var loggedNulls: [GraphQLError] = []
    /// Whether the server will send more parts of this response.
    public var hasNext = false
    /// The objects of `data` as records, if they were asked for.
    package var records: RecordBatchTransfer?

    // (Inlined, as it looks up its own type.)
    @inline(__always) fileprivate init() {}
  }
}

extension ResponseReader.Contents: Sendable where Data: Sendable {}

/// Reads whole responses: `{"data": …, "errors": …, "extensions": …}` (GraphQL specification, section 7.1).
///
/// The members may come in any order. Unknown members are skipped.
public enum ResponseReader {
  /// Reads a whole response.
  ///
  /// If several members of an object have one name, which JSON does not forbid, the last one is used.
  ///
  /// - Parameters:
  ///   - type: The type of `data`.
  ///   - bytes: The response.
  ///   - variables: The variables of the operation. Fields with arguments or conditions depend on them. The default is
  ///     none.
  ///   - maximumDepth: How many objects and lists may be nested, at most 2,048. A response that is nested deeper is an
  ///     error.
  /// - Returns: The contents of the response.
  /// - Throws: ``ResponseDecodingError`` if the response does not have the form that the type selects.
  public static func read<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables = .none, maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> ResponseReader.Contents<Data> {
    try read(type, from: bytes, variables: variables, rootKey: nil, maximumDepth: maximumDepth)
  }

  /// How deep a response may be nested by default: 512 objects and lists.
  public static var defaultMaximumDepth: Int { JSONCursor.defaultMaximumDepth }

  /// Reads a whole response, and makes records of its objects.
  ///
  /// - Parameters:
  ///   - type: The type of `data`.
  ///   - bytes: The response.
  ///   - variables: The variables of the operation.
  ///   - rootKey: The cache key of the root object, such as `QUERY_ROOT`. nil: no records are made.
  ///   - identity: How objects are identified in the cache.
  ///   - lifetimes: How it is found out how long single fields may be kept. By default the field tables alone say it.
  ///   - maximumDepth: How many objects and lists may be nested.
  /// - Returns: The contents of the response.
  /// - Throws: ``ResponseDecodingError`` if the response does not have the form that the type selects.
  package static func read<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables, rootKey: String?,
    identity: ObjectIdentity = ObjectIdentity(), lifetimes: LifetimeRules = LifetimeRules(),
    maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> ResponseReader.Contents<Data> {
    try read(
      type, from: bytes, variables: variables, rootKey: rootKey, identity: identity, lifetimes: lifetimes,
      maximumDepth: maximumDepth, standIns: nil)
  }

  // `standIns` are the values that numbers stand for, in data that a test has made; nil: none.
  @inline(__always) private static func read<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables, rootKey: String?,
    identity: ObjectIdentity = ObjectIdentity(), lifetimes: LifetimeRules = LifetimeRules(),
    maximumDepth: Int = defaultMaximumDepth, standIns: StandIns?
  ) throws(ResponseDecodingError) -> ResponseReader.Contents<Data> {
    try readUsingLastMembers(in: bytes, maximumDepth) { bytes, hasRepeatedMembers throws(ResponseDecodingError) in
      var contents = ResponseReader.Contents<Data>()
      var reader = __ObjectReader(
        bytes, mode: rootKey == nil ? .json : .normalize, variables: variables.completed(for: type),
        maximumDepth: maximumDepth)
      reader.standIns = standIns
      if let rootKey { reader.prepareRecords(of: Data.self, rootKey: rootKey, identity: identity, lifetimes) }
      do throws(__ReadError) { try reader.readResponse(into: &contents) } catch {
        guard reader.nullFailure(error) != nil else { throw reader.describe(error) }
        contents = ResponseReader.Contents<Data>()
        reader = __ObjectReader(
          bytes, mode: .json, variables: variables.completed(for: type), maximumDepth: maximumDepth)
        reader.standIns = standIns
        reader.nulls.isCatching = true
        do throws(__ReadError) { try reader.readResponse(into: &contents) } catch { throw reader.describe(error) }
      }
      hasRepeatedMembers = reader.hasRepeatedMembers
      if let rootKey, contents.data != nil || contents.unhandledFieldError != nil {
        let errors = (contents.errors ?? []).filter { $0.path != nil }
        let hints = lifetimes.hints(in: contents.extensions)
        contents.records =
          errors.isEmpty && hints == nil && !reader.nulls.isCatching
          ? reader.sink.takeBatch()
          : try records(
            type, from: bytes, variables: variables, rootKey: rootKey, identity: identity, lifetimes, errors: errors,
            hints: hints, hasCaught: reader.nulls.isCatching, maximumDepth: maximumDepth)
      }
      return contents
    }
  }

  /// Reads `bytes`. If an object has several members with one name, it reads the bytes again without the earlier ones.
  ///
  /// A reader goes forward only, so it may have used the earlier member, or failed at it, before the later one came.
  ///
  /// - Parameters:
  ///   - bytes: The response.
  ///   - maximumDepth: How many objects and lists may be nested.
  ///   - read: Reads the bytes that it is given, and says whether it may have met several members with one name.
  /// - Returns: The result of `read`.
  /// - Throws: The error of `read`.
  // (Inlined, because each generic function looks up the type of the contents.)
  @inline(__always) private static func readUsingLastMembers<Result>(
    in bytes: ResponseBytes, _ maximumDepth: Int,
    _ read: (ResponseBytes, inout Bool) throws(ResponseDecodingError) -> Result
  ) throws(ResponseDecodingError) -> Result {
    var text = bytes, hasRepeatedMembers = false, isPlain = false
    while true {
      do throws(ResponseDecodingError) {
        let result = try read(text, &hasRepeatedMembers)
        guard hasRepeatedMembers, !isPlain, let plain = bytes.withoutRepeatedMembers(maximumDepth) else {
          return result
        }
        text = plain
      } catch {
        if case .invalidJSON = error.reason { throw error }
        guard !isPlain, let plain = bytes.withoutRepeatedMembers(maximumDepth) else { throw error }
        text = plain
      }
      isPlain = true
    }
  }

  /// Reads the records again when the errors and the lifetimes are known, because they may come after the data.
  private static func records<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables, rootKey: String,
    identity: ObjectIdentity, _ lifetimes: LifetimeRules, errors: [GraphQLError], hints: LifetimeHints?,
    hasCaught: Bool, maximumDepth: Int
  ) throws(ResponseDecodingError) -> RecordBatchTransfer? {
    let bytes = hasCaught ? ResponseBytes(__ObjectReader.blankText + bytes.array) : bytes
    var reader = __ObjectReader(
      bytes, mode: .normalize, variables: variables.completed(for: type), maximumDepth: maximumDepth)
    reader.prepareRecords(of: type, rootKey: rootKey, identity: identity, lifetimes)
    reader.sink.reportedErrors = errors.isEmpty ? nil : ErrorsByPath(errors)
    reader.nulls.makesBlanks = hasCaught
    if hasCaught { reader.cursor.p += __ObjectReader.blankText.count }
    if let hints { reader.sink.makeLifetimes().hints = hints }
    do throws(__ReadError) {
      try reader.forEachMember { reader, member throws(__ReadError) in
        if member == "data" { _ = try Data.__read(from: &reader) } else { try reader.readMark(member) }
      }
    } catch {
      // Nothing can stand in for a value of some types. Then the response is not kept, and asked for again.
      if hasCaught { return nil }
      throw reader.describe(error)
    }
    return reader.sink.takeBatch()
  }

  /// Makes a model of JSON that a test writes. A value that has no form in JSON may be among it: the model has that value.
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - variables: The variables of the operation.
  ///   - write: Writes the object.
  /// - Returns: The model; nil if null was written.
  /// - Throws: ``ResponseDecodingError`` if the object does not fit the type, ``JSONEncodingError``, or a ``GraphQLError``
  ///   that stands in place of a value and that nothing in the model catches.
  package static func model<Data: SelectionSet>(
    _ type: Data.Type, variables: Variables, _ write: (inout __JSONWriter) -> Void
  ) throws -> Data? {
    var writer = __JSONWriter()
    let standIns = StandIns()
    writer.standIns = standIns
    writer.writeResponse(write)
    if let failure = writer.failure { throw failure }
    let contents = try read(
      type, from: ResponseBytes(writer.bytes), variables: variables, rootKey: nil, standIns: standIns)
    if let error = contents.unhandledFieldError { throw error }
    return contents.data
  }

  /// Reads an object that is not in an envelope, such as `data` alone.
  package static func readObject<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables = .none, rootKey: String? = nil,
    identity: ObjectIdentity = ObjectIdentity(), maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> (data: Data, records: RecordBatchTransfer) {
    try readUsingLastMembers(in: bytes, maximumDepth) {
      bytes, hasRepeatedMembers throws(ResponseDecodingError) in
      var reader = __ObjectReader(
        bytes, mode: rootKey == nil ? .json : .normalize, variables: variables.completed(for: type),
        maximumDepth: maximumDepth)
      if let rootKey { reader.prepareRecords(of: Data.self, rootKey: rootKey, identity: identity) }
      do throws(__ReadError) {
        try reader.cursor.expectUTF8()
        reader.cursor.skipSpace()
        let data = try Data.__read(from: &reader)
        try reader.cursor.expectEnd()
        hasRepeatedMembers = reader.hasRepeatedMembers
        return (data, reader.sink.takeBatch())
      } catch {
        throw reader.describe(error)
      }
    }
  }

  /// Reads an object from records of the cache.
  ///
  /// - Parameters:
  ///   - type: The type of the object.
  ///   - root: The number of the record.
  ///   - embedded: The object in the record that is wanted, with the field that leads to it. nil, the default: the
  ///     record itself.
  ///   - snapshot: The records.
  ///   - variables: The variables of the operation.
  ///   - schema: The schema, for a type that does not name it.
  ///   - ages: The rules by which values are too old. nil, the default: they may have any age.
  ///   - missingValues: What happens where the records have no value. By default that is an error.
  /// - Returns: The object, or why it cannot be read, and the fields that it depends on.
  package static func load<Data: SelectionSet>(
    _ type: Data.Type, root: Int32, embedded: (object: ObjectRecord, field: FieldKey)? = nil,
    from snapshot: RecordSnapshot, variables: Variables, schema: (any SchemaMetadata.Type)? = nil,
    ages: AgeRules? = nil, missingValues: MissingValues = .areErrors
  ) -> LoadedData<Data> {
    load(
      type, root: root, embedded: embedded, from: snapshot, variables: variables, schema: schema, ages: ages,
      missingValues: missingValues, isCatching: false)
  }

  private static func load<Data: SelectionSet>(
    _ type: Data.Type, root: Int32, embedded: (object: ObjectRecord, field: FieldKey)?, from snapshot: RecordSnapshot,
    variables: Variables, schema: (any SchemaMetadata.Type)?, ages: AgeRules?, missingValues: MissingValues,
    isCatching: Bool
  ) -> LoadedData<Data> {
    var reader = __ObjectReader(
      ResponseBytes.zeros, mode: .store, variables: variables.completed(for: type), snapshot: snapshot, ages: ages)
    reader.identity.schema = Data.schema ?? schema
    reader.source.readers = reader.identity.schema?.readers
    reader.source.missingValues = missingValues
    reader.nulls.isCatching = isCatching
    reader.source.setCurrent(embedded.map { .object($0.object) } ?? .reference(root))
    if let embedded {
      reader.source.embeddedRoot = RecordField(record: root, key: embedded.field)
      reader.source.dependencies.add(root, field: embedded.field)
    }
    let data: Result<Data, ResponseDecodingError>
    var chain: [FieldKey] = [], isHit = true
    do throws(__ReadError) {
      data = .success(try Data.__read(from: &reader))
      isHit = !reader.source.hasMisses
    } catch {
      if reader.nullFailure(error) != nil, !isCatching {
        return load(
          type, root: root, embedded: embedded, from: snapshot, variables: variables, schema: schema, ages: ages,
          missingValues: missingValues, isCatching: true)
      }
      data = .failure(reader.describe(error))
      if missingValues == .areReported { reader.noteMiss(error) }
      chain = reader.chain()
      isHit = false
    }
    let dependencies = reader.finishedDependencies()
    return LoadedData(
      errors: reader.source.errors, dependencies: dependencies,
      oldestSeconds: reader.source.oldestSecondsOfRecords(dependencies), chain: chain, isHit: isHit,
      reportedMiss: reader.source.firstMiss.first, ages: reader.source.ages?.findings, data: data)
  }

  /// Parses JSON of any kind. If several members of an object have one name, the last one is used.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maximumDepth: How many objects and lists may be nested, at most 2,048. The default is 512.
  /// - Returns: The value.
  /// - Throws: ``ResponseDecodingError`` if the text is not JSON, or is nested deeper.
  public static func jsonValue(
    _ bytes: ResponseBytes, maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> JSONValue {
    try JSONCursor.value(of: bytes, maximumDepth: maximumDepth)
  }
}

extension __ObjectReader {
  /// The field that is being read in each of the open objects.
  fileprivate borrowing func chain() -> [FieldKey] {
    var chain: [FieldKey] = []
    for index in 0..<frames.count {
      let frame = frames[index]
      if frame.field < frame.keys.count { chain.append(frame.keys[frame.field]) }
    }
    return chain
  }

  fileprivate mutating func prepareRecords<Data: SelectionSet>(
    of type: Data.Type, rootKey: String, identity: ObjectIdentity, _ lifetimes: LifetimeRules = LifetimeRules()
  ) {
    sink.batch.reserveRoot(rootKey)
    self.identity = identity
    if let schema = Data.schema { self.identity.schema = schema }
    sink.batch.mergers = Data.schema?.mergers
    prepareLifetimes(lifetimes, rootKey: rootKey)
  }

  /// Reads the members of a response. (Inlined, because each generic function looks up the type of the contents.)
  @inline(__always)
  fileprivate mutating func readResponse<Data: SelectionSet>(
    into contents: inout ResponseReader.Contents<Data>
  ) throws(__ReadError) {
    var hasData = false
    nulls.isOfResponse = true
    try forEachMember { reader, member throws(__ReadError) in
      switch member {
      case "data":
        if hasData { reader.hasRepeatedMembers = true }
        hasData = true
        if reader.cursor.takeNull() { contents.data = nil } else { try reader.readData(into: &contents) }
      case "errors": contents.errors = GraphQLError.list(try reader.cursor.value())
      case "extensions": contents.extensions = try reader.cursor.value() as? JSONObject
      case "hasNext": contents.hasNext = try reader.cursor.value() as? Bool ?? false
      default: try reader.readMark(member)
      }
    }
    guard hasData || contents.errors?.isEmpty == false else { throw __ReadError(.missing, offset: 0) }
    contents.loggedNulls = nulls.logged
  }

  /// Reads what the joining of parts has put before the data, or passes another member.
  fileprivate mutating func readMark(_ member: String) throws(__ReadError) {
    switch member {
    case DeferMark.member: undelivered = DeferMark(try cursor.value())
    case DeferMark.openLists: sink.batch.hasOpenLists = try cursor.value() as? Bool ?? false
    default: try cursor.skipValue()
    }
  }

  /// Reads the data, or the error that nothing in it catches.
  @inline(__always) private mutating func readData<Data: SelectionSet>(
    into contents: inout ResponseReader.Contents<Data>
  ) throws(__ReadError) {
    if nulls.isCatching { noteWayBack() }
    do throws(__ReadError) {
      contents.data = try Data.__read(from: &self)
      if nulls.isCatching { forgetWayBack() }
    } catch {
      guard let failure = nullFailure(error), let place = waysBack.popLast() else { throw error }
      note(failure)
      contents.unhandledFieldError = failure.error
      try goBack(to: place)
    }
  }

  /// Reads the outermost object; `body` reads the value of each member.
  fileprivate mutating func forEachMember(
    _ body: (inout __ObjectReader, String) throws(__ReadError) -> Void
  ) throws(__ReadError) {
    try cursor.expectUTF8()
    cursor.skipByteOrderMark()
    var isFirst = true
    while let name = try cursor.nextMember(&isFirst) { try body(&self, name) }
    try cursor.expectEnd()
  }
}
