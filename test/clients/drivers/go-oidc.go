package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	must(err)
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	options := []oauth2.AuthCodeOption{}
	if os.Getenv("SETTINGS") != "{}" {
		options = append(options, oidc.Nonce("a nonce"))
	}
	fmt.Println(config.AuthCodeURL("a state", options...))
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	must(err)
	callback, err := url.Parse(strings.TrimSpace(line))
	must(err)
	token, err := config.Exchange(ctx, callback.Query().Get("code"))
	must(err)
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	must(err)
	if len(options) > 0 && idToken.Nonce != "a nonce" {
		log.Fatal("wrong nonce")
	}
	claims := map[string]interface{}{}
	must(idToken.Claims(&claims))
	must(json.NewEncoder(os.Stdout).Encode(claims))
	fmt.Println()
}
