/// The version of the package: of the client, of the generator, and of what README says to depend on.
package let apolloVersion = "0.1.0"
