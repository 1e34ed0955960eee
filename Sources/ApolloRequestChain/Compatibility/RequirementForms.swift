package import ApolloTransport
import ApolloAPI
import ApolloCache
package import Foundation

/// Lets a protocol have one requirement in the forms of several releases of Apollo iOS. A type implements any one of
/// them.
///
/// The default implementation of each form calls the next form, and that of the last form calls the first. So every
/// form leads to the one that is implemented. In a type that implements none, the calls would never end: a default
/// implementation that finds that all other forms have just been tried fails instead.
package enum RequirementForms {
  private struct Trail {
    let object: ObjectIdentifier
    let requirement: String
    var forms: [Int]
  }

  private static let key = "apollo.requirement-forms"

  /// Calls the next form of a requirement, or fails if all forms have been tried.
  ///
  /// - Parameters:
  ///   - object: The object whose requirement it is.
  ///   - requirement: The name that all forms have in common.
  ///   - form: The number of the form that was called, from 0.
  ///   - count: How many forms there are.
  ///   - next: Calls the next form.
  ///   - fail: Called if the type implements none of the forms.
  /// - Returns: What `next` or `fail` returned.
  package static func call<Result>(
    of object: AnyObject, _ requirement: String, form: Int, of count: Int, next: () -> Result, fail: () -> Result
  ) -> Result {
    let thread = Thread.current.threadDictionary
    let outer = thread[key] as? Trail
    var trail = Trail(object: ObjectIdentifier(object), requirement: requirement, forms: [])
    // If a form is called for the second time, a form that the type implements has called it again.
    if let outer, outer.object == trail.object, outer.requirement == requirement, !outer.forms.contains(form) {
      trail.forms = outer.forms
    }
    trail.forms.append(form)
    guard trail.forms.count < count else { return fail() }
    thread[key] = trail
    defer { thread[key] = outer }
    return next()
  }

  /// The error for a type that implements no form of a requirement.
  static func failure(of object: AnyObject, _ requirement: String) -> OperationError {
    OperationError(.configuration, "\(type(of: object)) implements no form of '\(requirement)'.", operationName: nil)
  }
}

/// Calls a handler with the error of a type that implements no form of a requirement.
package func failMissing<Data>(
  _ requirement: String, of object: AnyObject, on queue: DispatchQueue, _ handler: GraphQLResultHandler<Data>?
) -> any Cancellable {
  // Safe: an app's handler (see Handoff).
  nonisolated(unsafe) let handler = handler
  let error = RequirementForms.failure(of: object, requirement)
  queue.async { handler?(.failure(error)) }
  return EmptyCancellable()
}
