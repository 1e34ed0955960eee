public import ApolloTransport
public import Foundation

extension Outbox {
  /// A mutation in an outbox, as its ``Storage`` keeps it.
  ///
  /// Everything but the ``files`` can be encoded and decoded. A storage keeps the files in its own way, and puts them back
  /// when it loads.
  public struct Row: Sendable, Codable {
    /// How far a mutation has come.
    public enum State: String, Sendable, Codable {
      /// It has not been answered.
      case queued
      /// It has been answered, and the answer is not in the cache for sure. It is never sent again.
      case answered
      /// It was given up. It stays until it is dismissed or tried again.
      case failed
    }

    /// Why a mutation was given up.
    public struct Failure: Sendable, Codable, Hashable {
      /// The name of an `ApolloErrorCode`.
      public var code: String
      /// One sentence that says what went wrong.
      public var message: String

      /// Makes a failure.
      ///
      /// - Parameters:
      ///   - code: The name of an `ApolloErrorCode`.
      ///   - message: One sentence that says what went wrong.
      public init(code: String, message: String) {
        self.code = code
        self.message = message
      }
    }

    /// Identifies the mutation.
    public let id: UUID
    /// The place of the mutation in the order in which mutations came, from 1.
    public let number: Int64
    /// The name of the operation.
    public let operationName: String
    /// The Swift type of the operation, as the runtime finds it again in a later launch.
    public let typeName: String
    /// Mutations of one scope are sent one after the other.
    public let scope: String
    /// The variables, a JSON object in UTF-8.
    public let variables: Data
    /// What the server is expected to answer: the JSON of the operation's data, in UTF-8. nil: nothing is expected.
    public let optimisticData: Data?
    /// What the directives of the operation do to lists of the cache.
    public let listEdits: [ListEdit]
    /// The temporary id of the object that the mutation makes; nil if it makes none, or none is known.
    public let localID: String?
    /// Where the server's id for it is in the operation's data; nil if it is not known.
    public let localIDPath: [String]?
    /// What was asked for when the mutation came.
    public let policy: Policy
    /// When the mutation came, or was tried again by the app.
    public var date: Date
    /// How far it has come.
    public var state = State.queued
    /// How often it was tried to send it, as far as that was noted: a try that the end of a process interrupts is not.
    public var attempts = 0
    /// How many of these tries have failed because of the network.
    public var networkFailures = 0
    /// How many of these tries were answered with 409 although the server may be doing what was sent before; nil: none.
    var conflicts: Int?
    /// When the first of these answers came; nil: none has.
    var conflictsSince: Date?
    /// How many of the last tries could not be made because a file of the device cannot be read; nil: none.
    var unreadables: Int?
    /// When the first of these was; nil: there was none.
    var unreadablesSince: Date?
    /// Until when it is not tried again; nil: it may be tried at once.
    public var notBefore: Date?
    /// The server's answer; nil if there was none.
    public var answer: Data?
    /// Why it was given up, or why the last try failed; nil if neither happened. A storage that loads a queued mutation
    /// without its files says so here, with the code ``ApolloErrorCode/storage``: the outbox gives it up.
    public var failure: Failure?
    /// What is sent with each try, so that a server can tell that it is the same mutation. It is another one after an
    /// answer that was a refusal.
    public var idempotencyKey: String
    /// Whose the mutation is: what ``Outbox/mark(of:)`` makes of the outbox's owner. nil: it belongs to an outbox without
    /// an owner.
    public var owner: String?
    /// The names of the queries that are asked again when the mutation was done; nil: none.
    public var refetchQueries: [String]?
    /// The files that are sent with the mutation.
    public var files: [GraphQLFile] = []

    private enum CodingKeys: String, CodingKey {
      case id, number, operationName, typeName, scope, variables, optimisticData, listEdits, localID, localIDPath,
        policy
      case date, state, attempts, networkFailures, conflicts, conflictsSince, unreadables, unreadablesSince
      case notBefore, answer, failure, idempotencyKey, owner, refetchQueries
    }

    /// What a directive of a mutation does to a list of the cache.
    public struct ListEdit: Sendable, Codable, Hashable {
      let kind: String
      let path: [String]
      /// For each of the names in the path, the types of the objects whose field it is. nil: all types, as in rows of
      /// earlier releases.
      let types: [[String]]?
      let connections: [String]
      let edgeType: String?
      let typename: String?
    }
  }

  /// What is in a storage.
  public struct Contents: Sendable {
    /// The mutations, in any order.
    public var rows: [Row]
    /// The ids that servers have given to objects, by their temporary ids. nil for those that will never have one.
    public var serverIDs: [String: String?]
    /// The highest number of a mutation that is there and not among ``rows``, because it cannot be read or is another
    /// owner's; 0 if there is none.
    public var lastUnreadNumber: Int64

    /// Makes contents.
    ///
    /// - Parameters:
    ///   - rows: The mutations. The default is none.
    ///   - serverIDs: The ids that servers have given, by temporary ids. The default is none.
    ///   - lastUnreadNumber: The highest number of a mutation that cannot be read or is another owner's. The default is 0:
    ///     there is none.
    public init(rows: [Row] = [], serverIDs: [String: String?] = [:], lastUnreadNumber: Int64 = 0) {
      self.rows = rows
      self.serverIDs = serverIDs
      self.lastUnreadNumber = lastUnreadNumber
    }
  }

  /// What is to be changed in a storage, all of it or nothing.
  public struct Change: Sendable {
    /// Mutations that are new or have changed, by their ids.
    public internal(set) var saved: [UUID: Row] = [:]
    /// Mutations that are no longer there.
    public internal(set) var removed: Set<UUID> = []
    /// The ids that servers have given to objects, by their temporary ids. nil for those that will never have one.
    public internal(set) var serverIDs: [String: String?] = [:]
    /// Whose ids ``serverIDs`` are; nil: those of an outbox without an owner. All mutations of a change have this owner as
    /// well.
    public internal(set) var owner: String?

    var isEmpty: Bool { saved.isEmpty && removed.isEmpty && serverIDs.isEmpty }

    init() {}

    init(saving row: Row) {
      saved[row.id] = row
      owner = row.owner
    }

    /// Adds what came later.
    mutating func formUnion(_ later: Change) {
      for (id, row) in later.saved {
        saved[id] = row
        removed.remove(id)
      }
      for id in later.removed {
        saved[id] = nil
        removed.insert(id)
      }
      serverIDs.merge(later.serverIDs) { $1 }
      owner = owner ?? later.owner
    }
  }
}
