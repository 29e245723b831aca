"""An MCP server that lets nobody in without a token, and who gives the tokens: both by the official kit."""

from __future__ import annotations

import secrets
import time
from typing import Any

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from tests.agents.lab import formalizer_app


class Giver:
    """Gives tokens to whoever asks, and keeps what it was asked for; people consent at once."""

    def __init__(self, lasts: int = 3600) -> None:
        self.lasts = lasts
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.refreshes: dict[str, RefreshToken] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.resources: list[str | None] = []

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """The client of a name."""
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Takes in a client."""
        assert client_info.client_id is not None
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Sends back with a code."""
        assert client.client_id is not None
        code = secrets.token_urlsafe(24)
        self.resources.append(params.resource)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or ["use"],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, _: Any, authorization_code: str) -> AuthorizationCode | None:
        """A code that was given out."""
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        """A token for a code, which is good once."""
        del self.codes[authorization_code.code]
        return self._given(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, _: Any, refresh_token: str) -> RefreshToken | None:
        """One that was given out."""
        return self.refreshes.get(refresh_token)

    async def exchange_refresh_token(self, client: Any, refresh_token: RefreshToken, scopes: list[str]) -> OAuthToken:
        """Another token; the old one is good no more."""
        del self.refreshes[refresh_token.token]
        return self._given(client.client_id, scopes, self.resources[0])

    async def load_access_token(self, token: str) -> AccessToken | None:
        """One that is good."""
        return self.tokens.get(token)

    async def revoke_token(self, token: Any) -> None:
        """A token is good no more."""
        self.tokens.pop(token.token, None)

    def _given(self, client: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.tokens[access] = AccessToken(token=access, client_id=client, scopes=scopes, resource=resource)
        self.refreshes[refresh] = RefreshToken(token=refresh, client_id=client, scopes=scopes)
        return OAuthToken(
            access_token=access,
            token_type="Bearer",
            expires_in=self.lasts,
            refresh_token=refresh,
            scope=" ".join(scopes),
        )


def guarded_app(giver: Giver, url: str) -> Any:
    """The server, at an address."""
    settings = AuthSettings(
        issuer_url=url,  # type: ignore[arg-type]
        resource_server_url=f"{url}/mcp",  # type: ignore[arg-type]
        required_scopes=["use"],
        validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["use"], default_scopes=["use"]
        ),
    )
    server = MCPServer("guarded", auth=settings, auth_server_provider=giver)  # type: ignore[arg-type]

    @server.tool()
    def tell_secret() -> str:
        """Tells what only those hear who were let in."""
        return "forty-two"

    return server.streamable_http_app()


def guarded_agent(giver: Giver, url: str, *, open_card: bool = False) -> Any:
    """An A2A agent that shows itself to nobody without a token, nor its card unless that is open to all, and who gives
    the tokens."""
    from mcp.server.auth.routes import create_auth_routes, create_protected_resource_routes
    from pydantic import AnyHttpUrl
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Mount

    agent, address = formalizer_app(url), AnyHttpUrl(url)
    options = ClientRegistrationOptions(enabled=True, valid_scopes=["use"], default_scopes=["use"])
    about = f'Bearer resource_metadata="{url}/.well-known/oauth-protected-resource"'

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        shown = dict(scope.get("headers") or ()).get(b"authorization", b"").decode().removeprefix("Bearer ")
        open_to_all = open_card and str(scope.get("path", "")).endswith("agent-card.json")
        if scope["type"] == "http" and shown not in giver.tokens and not open_to_all:
            refused = JSONResponse({"error": "invalid_token"}, 401, headers={"WWW-Authenticate": about})
            await refused(scope, receive, send)
            return
        await agent(scope, receive, send)

    routes: list[Any] = create_auth_routes(giver, address, client_registration_options=options)  # type: ignore[arg-type]
    routes += create_protected_resource_routes(address, [address], ["use"])
    return Starlette(routes=[*routes, Mount("/", guarded)])
