import Apollo
import Foundation

/// The copies of the files that mutations send: a folder for each mutation, beside the outbox.
struct OutboxFiles {
  let folder: URL
  private let codec: (any SQLiteCodec)?
  private let protection: SQLiteNormalizedCache.Configuration.FileProtection

  init(beside file: URL, _ configuration: SQLiteOutboxStorage.Configuration) {
    folder = URL(fileURLWithPath: file.path + "-files", isDirectory: true)
    codec = configuration.codec
    protection = configuration.fileProtection
  }

  private func folder(of id: UUID) -> URL { folder.appendingPathComponent(id.uuidString, isDirectory: true) }

  private func place(_ index: Int, of id: UUID) -> URL { folder(of: id).appendingPathComponent("\(index)") }

  /// Copies files, and has them on the disk when it returns.
  func keep(_ files: [GraphQLFile], of id: UUID) throws -> [GraphQLFile] {
    do {
      try PrivateFile.makeFolder(at: folder(of: id).path)
      // What is made in a folder has its attributes.
      FileAttributes.set(on: folder, protection)
      for (index, file) in files.enumerated() {
        if let url = file.fileURL, !FileManager.default.isReadableFile(atPath: url.path) {
          throw GraphQLFile.GraphQLFileError.couldNotReadFile(fileURL: url)
        }
        let place = place(index, of: id)
        if let codec {
          let data = try file.data ?? file.fileURL.map { try Data(contentsOf: $0) } ?? Data()
          try PrivateFile.write(codec.encode(data, for: key(index, id)), to: place)
        } else if let data = file.data {
          try PrivateFile.write(data, to: place)
        } else if let url = file.fileURL {
          try PrivateFile.copy(url, to: place)
        }
        // A copy has the protection of its original, which may be stricter than that of the outbox.
        FileAttributes.set(on: place, protection)
        try synchronize(place)
      }
      for folder in [folder(of: id), folder, folder.deletingLastPathComponent()] { try synchronize(folder) }
      return try load(
        files.map {
          OutboxBlob.File(fieldName: $0.fieldName, originalName: $0.originalName, mimeType: $0.mimeType)
        }, of: id)
    } catch {
      remove(id)
      throw error
    }
  }

  /// The copies of a mutation.
  ///
  /// - Throws: `GraphQLFile.GraphQLFileError` for a file that is gone, what the codec throws for one that it cannot
  ///   decode, and ``OutboxBlob/Problem/codec(_:)`` if the codec can decode nothing now.
  func load(_ files: [OutboxBlob.File], of id: UUID) throws -> [GraphQLFile] {
    try files.enumerated().map { index, file in
      let place = place(index, of: id)
      // A copy is a file. Through a link, something else would be sent.
      guard ![folder, folder(of: id), place].contains(where: { PrivateFile.isLink($0.path) }) else {
        throw GraphQLFile.GraphQLFileError.couldNotReadFile(fileURL: place)
      }
      guard let codec else {
        return try GraphQLFile(
          fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType, fileURL: place)
      }
      guard let bytes = try? Data(contentsOf: place) else {
        throw GraphQLFile.GraphQLFileError.couldNotGetFileSize(fileURL: place)
      }
      return GraphQLFile(
        fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType,
        data: try decoded(bytes, by: codec, index: index, of: id))
    }
  }

  private func decoded(_ bytes: Data, by codec: any SQLiteCodec, index: Int, of id: UUID) throws -> Data {
    do { return try codec.decode(bytes, for: key(index, id)) } catch let error as SQLiteCodecUnavailable {
      throw OutboxBlob.Problem.codec(error)
    }
  }

  /// A mutation with its files. If one is gone or damaged, its failure says so, and the outbox gives it up. One that was
  /// answered needs them as well: its answer may be a refusal, after which the app may have it sent again.
  ///
  /// The codec has just decoded the mutation. So it has its key, and what it cannot decode of a file is damaged.
  ///
  /// - Throws: ``OutboxBlob/Problem/codec(_:)``.
  func complete(_ row: Outbox.Row, with names: [OutboxBlob.File]) throws -> Outbox.Row {
    guard !names.isEmpty else { return row }
    var row = row
    do { row.files = try load(names, of: row.id) } catch let problem as OutboxBlob.Problem {
      throw problem
    } catch {
      row.failure = Outbox.Row.Failure(
        code: ApolloErrorCode.storage.description, message: "A file of the mutation cannot be read: \(error)")
    }
    return row
  }

  private func key(_ index: Int, _ id: UUID) -> String { "\(id.uuidString)/\(index)" }

  func remove(_ id: UUID) { try? FileManager.default.removeItem(at: folder(of: id)) }

  /// Removes the copies of mutations that are not there: a process may have ended while it made or removed them.
  func removeAll(except ids: Set<UUID>) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names {
      guard let id = UUID(uuidString: name), !ids.contains(id) else { continue }
      remove(id)
    }
  }

  /// Removes all copies.
  func removeAll() throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    do { try FileManager.default.removeItem(at: folder) } catch {
      throw SQLiteOutboxStorage.StorageError.cannotWrite(path: folder.path, reason: error.localizedDescription)
    }
  }

  /// Takes the permissions away that others have for copies of an earlier release, and gives these the protection of the
  /// outbox: their own may be stricter.
  func protect() {
    PrivateFile.protect(folder.path)
    FileAttributes.set(on: folder, protection)
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
      let copy = folder.appendingPathComponent(name)
      PrivateFile.protect(copy.path)
      FileAttributes.set(on: copy, protection)
    }
  }

  private func synchronize(_ url: URL) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    try handle.synchronize()
  }
}
